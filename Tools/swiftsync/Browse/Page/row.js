"use strict";
// One row with all that is known of it, and its edits.

async function showRow(at) {
  const [name, row] = at.parts;
  const entity = described(name);
  const number = drawing;
  const found = await ask("row", { entity: name, row });
  if (number !== drawing) return;
  const body = element("tbody");
  const fields = new Map();
  entity.attributes.forEach((attribute, index) => {
    const value = found.values[index];
    const cell = element("td");
    const isEdited = overview.writable && attribute.type !== "data";
    if (isEdited) {
      const field = element("input", {
        value: value ?? "", placeholder: "null", "aria-label": attribute.name, "data-name": attribute.name,
      });
      // What was cut can't be given back whole.
      if (value !== null && (value.includes("\n") || value.length > 65000)) {
        cell.append(valueNode(value, attribute.type));
      } else { cell.className = "edit"; cell.append(field); fields.set(attribute.name, { field, value }); }
    } else cell.append(valueNode(value, attribute.type));
    body.append(element("tr", {}, element("th", { scope: "row" }, attribute.name, element(
      "span", { class: "kind" }, ` ${attribute.type}${attribute.optional ? "?" : ""}`)), cell));
  });
  (entity.relationships ?? []).forEach((relationship, index) => {
    const value = found.values[entity.attributes.length + index];
    const cell = element("td", {}, relationship.toMany
      ? membersNode(value, relationship.destination, relationship.name, { entity: name, row })
      : linkNode(value, relationship.destination));
    const kind = relationship.toMany ? `${count(value.count)} ${relationship.destination}` : relationship.destination;
    body.append(element("tr", {}, element(
      "th", { scope: "row" }, relationship.name, element("span", { class: "kind" }, ` ${kind}`)), cell));
  });
  const note = element("p", { class: "note", role: "status" });
  const nodes = [
    heading(found.label, `${name}, row ${row}`),
    element("div", { class: "scroll" }, element("table", { class: "detail" }, body)),
  ];
  if (overview.writable) nodes.push(actions(name, Number(row), fields, note), note);
  const bytes = element("pre", { class: "bytes", tabindex: "0", "aria-label": "Bytes" }, dump(found.bytes));
  nodes.push(
    element("h3", {}, "Record ", element("span", { class: "quiet" }, `${count(found.byteCount)} bytes as stored`)),
    element("div", { class: "scroll" }, bytes));
  show("row", ...nodes);
}

function actions(entity, row, fields, note) {
  const attempt = async (work, done) => {
    try { await work(); note.className = "note"; note.textContent = done; } catch (error) {
      note.className = "note bad";
      note.textContent = error.message;
    }
  };
  const save = element("button", { type: "button", id: "save", onclick: () => attempt(async () => {
    const values = {};
    for (const [name, { field, value }] of fields) {
      // An empty field is null where there was null, and the empty text otherwise.
      if (field.value !== (value ?? "")) values[name] = field.value;
    }
    await tell("edit", { entity, row, values });
    for (const [name, edited] of fields) if (name in values) edited.value = values[name];
  }, "Saved.") }, "Save");
  const remove = element("button", { type: "button", class: "danger", id: "delete", onclick: () => {
    if (remove.dataset.sure) return attempt(async () => {
      await tell("delete", { entity, row });
      location.hash = tableAddress(entity);
    }, "");
    remove.dataset.sure = "yes";
    remove.textContent = "Delete for good?";
  } }, "Delete");
  return element("div", { class: "actions" }, save, remove);
}

function dump(bytes) {
  const lines = [];
  for (let start = 0; start < bytes.length; start += 32) {
    const pairs = bytes.slice(start, start + 32).match(/../g);
    const text = pairs.map((pair) => {
      const code = parseInt(pair, 16);
      return code >= 32 && code < 127 ? String.fromCharCode(code) : "·";
    }).join("");
    const address = (start / 2).toString(16).padStart(4, "0");
    const halves = [pairs.slice(0, 8), pairs.slice(8)].map((half) => half.join(" ").padEnd(23));
    lines.push([address, ...halves, text].join("  "));
  }
  return lines.join("\n");
}
