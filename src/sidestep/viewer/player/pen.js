/** Shapes on a canvas. */

export function line(pen, fromX, fromY, toX, toY) {
  pen.moveTo(fromX, fromY);
  pen.lineTo(toX, toY);
}

/** A head past the middle of the way from a point to another. */
export function arrow(pen, [fromX, fromY], [toX, toY], size) {
  const length = Math.hypot(toX - fromX, toY - fromY) || 1;
  const [dx, dy] = [((toX - fromX) / length) * size, ((toY - fromY) / length) * size];
  const [x, y] = [fromX + (toX - fromX) * 0.6, fromY + (toY - fromY) * 0.6];
  for (const side of [0.6, -0.6]) line(pen, x, y, x - dx - side * dy, y - dy + side * dx);
}

export function ring(pen, x, y, radius) {
  pen.moveTo(x + radius, y);
  pen.arc(x, y, radius, 0, 2 * Math.PI);
}

export function diamond(pen, x, y, reach) {
  pen.moveTo(x, y - reach);
  for (const [dx, dy] of [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ])
    pen.lineTo(x + dx * reach, y + dy * reach);
}

export function disc(pen, x, y, radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

/** The tip of an agent, seen beyond its disc, at a number of quarters of a turn clockwise from up. */
export function nose(pen, x, y, quarters, radius) {
  const [dx, dy] = [Math.sin((quarters * Math.PI) / 2), -Math.cos((quarters * Math.PI) / 2)];
  pen.beginPath();
  pen.moveTo(x + 1.5 * radius * dx, y + 1.5 * radius * dy);
  for (const side of [0.75, -0.75])
    pen.lineTo(x + radius * (0.6 * dx + side * dy), y + radius * (0.6 * dy - side * dx));
  pen.fill();
}
