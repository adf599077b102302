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
