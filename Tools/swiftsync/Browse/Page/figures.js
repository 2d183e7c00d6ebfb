"use strict";
// The history, and how much of what there is.

async function showHistory(at) {
  const number = drawing;
  const before = at.values.get("before");
  const history = await ask("history", { before });
  if (number !== drawing) return;
  const body = element("tbody");
  for (const one of history.transactions) {
    const changes = element("td");
    for (const entity of one.entities) for (const kind of ["inserted", "updated", "deleted"]) {
      const { count: total, rows } = entity[kind];
      if (!total) continue;
      const line = element("div", {}, `${entity.name} ${kind}: `);
      rows.forEach((row, index) => line.append(index ? ", " : "", kind === "deleted" || !described(entity.name)
        ? `${row}` : element("a", { href: rowAddress(entity.name, row) }, `${row}`)));
      if (total > rows.length) line.append(` and ${count(total - rows.length)} more`);
      changes.append(line);
    }
    body.append(element("tr", {}, element("th", { scope: "row", class: "number" }, `${one.transaction}`),
      element("td", { class: "time" }, one.time.replace("T", " ").replace(/\.\d+Z$/, "")),
      element("td", {}, one.author ?? ""), element("td", {}, one.writer ?? ""), changes));
  }
  const labels = ["Transaction", "Time (UTC)", "Author", "Program", "Changes"];
  const older = element("button", { type: "button", id: "next", onclick: () => {
    location.hash = `#/history?before=${history.next + 1}`;
  } }, "Older");
  older.disabled = history.next <= history.oldest;
  const newest = element("button", { type: "button", id: "previous", onclick: () => {
    location.hash = "#/history";
  } }, "Newest");
  newest.disabled = !before;
  show("history", heading("History"),
    element("p", { class: "note" }, history.last === history.oldest ? "The history has no transactions."
      : `The store remembers transactions ${count(history.oldest + 1)} to ${count(history.last)}.`),
    activity(history.transactions),
    element("div", { class: "scroll" }, element("table", {}, element("caption", { class: "skip" }, "Transactions"),
      element("thead", {}, element("tr", {}, ...labels.map((label, index) =>
        element("th", { scope: "col", class: index ? "" : "number" }, label)))),
      body)),
    element("div", { class: "pager" }, element("span"), newest, older));
}

// How many rows each of the transactions that are listed has changed.
function activity(transactions) {
  const sums = transactions.map((one) => one.entities.reduce((sum, entity) =>
    sum + entity.inserted.count + entity.updated.count + entity.deleted.count, 0)).reverse();
  const most = Math.max(1, ...sums), height = 70, step = 14;
  const picture = drawn("svg", {
    viewBox: `0 0 720 ${height + 26}`, width: 720, role: "img",
    "aria-label": `Rows changed by each of ${sums.length} transactions, ${most} at most; the table below has them.`,
  }, drawn("line", { x1: 0, x2: 720, y1: height, y2: height }),
    drawn("text", { class: "soft", x: 0, y: height + 18 }, `Rows changed by each transaction, ${count(most)} at most`));
  sums.forEach((sum, index) => {
    const tall = sum ? Math.max(2, (sum / most) * (height - 4)) : 0;
    const place = { x: index * step, y: height - tall, width: step - 4, height: tall };
    picture.append(drawn("rect", { class: "column", rx: 1, ...place }));
  });
  return picture;
}

async function showStatistics() {
  const number = drawing;
  const statistics = await ask("statistics");
  if (number !== drawing) return;
  const facts = element("tbody");
  const fact = (name, value) => facts.append(
    element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value)));
  fact("Folder", overview.path);
  fact("Identifier", statistics.identifier);
  fact("Formats", `store ${statistics.storeFormat}, records ${statistics.recordFormat}`);
  fact("Pages", `${count(statistics.pagesUsed)} of ${size(statistics.pageBytes)} have been used`);
  fact("Other readers", count(statistics.readers));
  const tables = statistics.entities.flatMap((entity) => [
    ...entity.indexes.map((index) => [
      `${index.unique ? "unique " : ""}index of ${entity.name} on ${index.attributes.join(", ")}`, index.bytes]),
    ...entity.links.map((link) => [`links of ${link.name}`, link.bytes])]);
  show("statistics", heading("Statistics"),
    element("div", { class: "scroll" }, element("table", { class: "detail" }, facts)),
    ...bars("Rows", statistics.entities.map((one) => [one.name, one.rows]), count),
    ...bars("Bytes of records", statistics.entities.map((one) => [one.name, one.bytes]), size),
    ...bars("Bytes of indexes and links", tables, size),
    ...bars("Files", statistics.files.map((one) => [one.name, one.bytes]), size));
}

function bars(title, items, written) {
  const most = Math.max(1, ...items.map((item) => item[1]));
  const body = element("tbody");
  for (const [name, value] of items) {
    const bar = element("div");
    bar.style.width = `${(value / most) * 100}%`;
    body.append(element("tr", {}, element("th", { scope: "row" }, name),
      element("td", { class: "number" }, written(value)), element("td", { class: "bar", "aria-hidden": "true" }, bar)));
  }
  return [element("h3", {}, title), element("div", { class: "scroll" }, element("table", { class: "bars detail" },
    element("caption", { class: "skip" }, title), body))];
}
