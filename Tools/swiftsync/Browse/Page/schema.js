"use strict";
// What the store describes itself to hold.

function showSchema() {
  const parts = [heading("Schema"), diagram()];
  for (const entity of overview.schema) {
    const body = element("tbody");
    const line = (name, kind, more) => body.append(element("tr", {}, element("th", { scope: "row" }, name),
      element("td", { class: "code" }, kind), element("td", { class: "quiet" }, more.filter(Boolean).join(", "))));
    for (const one of entity.attributes) {
      line(one.name, one.type + (one.optional ? "?" : ""), [
        entity.identity === one.name && "identity", one.unique && "unique", one.externalStorage && "external storage",
        one.preserveValueOnDeletion && "kept on deletion", one.remoteKey && `from ${one.remoteKey}`]);
    }
    for (const one of entity.relationships ?? []) {
      line(one.name, one.toMany ? `[${one.destination}]` : `${one.destination}${one.optional ? "?" : ""}`, [
        one.inverse && `inverse ${one.inverse}`, one.deleteRule, one.remoteKey && `from ${one.remoteKey}`]);
    }
    parts.push(element("h3", {}, element("a", { href: tableAddress(entity.name) }, entity.name)),
      element("div", { class: "scroll" }, element("table", { class: "detail" }, body)));
  }
  show("schema", ...parts);
}

// Boxes in columns, neighbours first, and a curve for each pair of directions.
function diagram() {
  const width = 210, gap = 90, line = 19, head = 28, shownMax = 14;
  const left = [...overview.schema], order = [];
  const isNear = (one, other) => (one.relationships ?? []).some((link) => link.destination === other.name)
    || (other.relationships ?? []).some((link) => link.destination === one.name);
  while (left.length) {
    const at = Math.max(0, left.findIndex((entity) => order.some((placed) => isNear(placed, entity))));
    order.push(...left.splice(at, 1));
  }
  const columns = Math.min(4, Math.ceil(Math.sqrt(order.length * 1.4)));
  const bottoms = Array(columns).fill(10), boxes = new Map();
  for (const entity of order) {
    const names = [...entity.attributes.map((one) => [one.name, one.type]),
      ...(entity.relationships ?? []).map((one) => [one.name, one.toMany ? `[${one.destination}]` : one.destination])];
    const height = head + Math.min(names.length, shownMax + 1) * line + 8;
    const column = bottoms.indexOf(Math.min(...bottoms));
    boxes.set(entity.name, { entity, names, height, x: 40 + column * (width + gap), y: bottoms[column], column });
    bottoms[column] += height + 36;
  }
  const picture = drawn("svg", {
    viewBox: `0 0 ${columns * (width + gap) + 20} ${Math.max(...bottoms)}`, role: "img",
    "aria-label": "A box for each entity and a line for each relationship; the tables below say the same.",
    width: columns * (width + gap) + 20,
  });
  // At the line of the relationship, if the box has room for it.
  const anchor = (box, name) => {
    const index = box.names.findIndex((one) => one[0] === name);
    return index < 0 ? box.y + head / 2 : box.y + head + 11 + Math.min(index, shownMax) * line;
  };
  const seen = new Set();
  for (const box of boxes.values()) for (const link of box.entity.relationships ?? []) {
    const other = boxes.get(link.destination);
    const key = [`${box.entity.name}.${link.name}`, `${link.destination}.${link.inverse}`].sort().join(" ");
    if (!other || seen.has(key)) continue;
    seen.add(key);
    const from = anchor(box, link.name), to = anchor(other, link.inverse);
    // One that passes other boxes goes below them.
    const low = Math.abs(box.column - other.column) > 1 ? Math.max(...bottoms) + 20 : undefined;
    const isSame = box.column === other.column;
    const isRight = box.x < other.x;
    const start = isSame ? box.x : isRight ? box.x + width : box.x;
    const end = isSame ? other.x : isRight ? other.x : other.x + width;
    const bend = isSame ? -34 : isRight ? 45 : -45;
    const title = drawn("title", {}, `${box.entity.name}.${link.name} to ${link.destination}`);
    picture.append(drawn("path", {
      d: `M${start} ${from} C${start + bend} ${low ?? from} `
        + `${isSame ? end + bend : end - bend} ${low ?? to} ${end} ${to}`,
    }, title));
  }
  for (const { entity, names, height, x, y } of boxes.values()) {
    picture.append(
      drawn("rect", { class: "box", x, y, width, height, rx: 7 }),
      drawn("rect", { class: "head", x: x + 1, y: y + 1, width: width - 2, height: head - 2, rx: 6 }),
      drawn("text", { class: "title", x: x + 10, y: y + 18 }, clipped(entity.name, 26)));
    const shown = names.length > shownMax + 1 ? names.slice(0, shownMax) : names;
    shown.forEach(([name, kind], index) => {
      const at = y + head + 15 + index * line;
      picture.append(drawn("text", { x: x + 10, y: at }, clipped(name, 17)),
        drawn("text", { class: "soft", x: x + width - 10, y: at, "text-anchor": "end" }, clipped(kind, 13)));
    });
    if (shown.length < names.length) {
      picture.append(drawn("text", { class: "soft", x: x + 10, y: y + head + 15 + shownMax * line },
        `and ${names.length - shownMax} more`));
    }
  }
  return picture;
}

function clipped(text, length) { return text.length > length ? `${text.slice(0, length - 1)}…` : text; }
