"use strict";
// How values and what relationships lead to are shown.

function valueNode(value, type) {
  if (value === null) return element("span", { class: "null" }, "null");
  if (type === "uuid" || type === "data" || type === "composite") return element("span", { class: "code" }, value);
  return document.createTextNode(value);
}

function linkNode(reference, destination) {
  if (reference === null) return element("span", { class: "null" }, "null");
  return element("a", { href: rowAddress(destination, reference.row) }, reference.label || `row ${reference.row}`);
}

function membersNode(members, destination, relationship, owner) {
  const shown = element("span", { class: owner ? "links" : "" });
  members.rows.forEach((row, index) => {
    if (index && !owner) shown.append(", ");
    shown.append(linkNode(row, destination));
  });
  const rest = members.count - members.rows.length;
  if (!members.count) shown.append(element("span", { class: "null" }, "none"));
  else if (rest && !owner) shown.append(` and ${count(rest)} more`);
  else if (rest) {
    let offset = members.rows.length;
    const more = element("button", { type: "button", onclick: async () => {
      const next = await ask("members", { ...owner, relationship, offset, limit: 100 });
      for (const row of next.rows) more.before(linkNode(row, destination));
      offset += next.rows.length;
      if (offset >= next.count || !next.rows.length) more.remove();
      else more.textContent = `${count(next.count - offset)} more`;
    } }, `${count(rest)} more`);
    shown.append(more);
  }
  return shown;
}
