// Lists what there is to choose from.

async function list(name) {
  const entries = await (await fetch(`/api/${name}`)).json();
  const target = document.getElementById(name);
  for (const entry of entries) {
    const item = document.createElement("li");
    item.textContent = `${entry.name}: ${entry.summary}`;
    target.append(item);
  }
}

await Promise.all([list("solvers"), list("generators")]);
