// A judge's work: one pair at a time in an order of their own, answers kept in this browser, a sheet at the end.

const data = JSON.parse(document.getElementById("data").textContent);
const element = (id) => document.getElementById(id);
const radioId = (name, value) => `${name}-${value.replaceAll(" ", "-")}`;
const radio = (name, value) => element(radioId(name, value));
const made = (name, content, properties = {}) => {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...[content].flat());
  return node;
};

// Storage may be forbidden for pages from disk.
const storage = {
  works: true,
  get: (name) => { try { return localStorage.getItem(`acidtest-${name}`); } catch { return null; } },
  set: (name, text) => { try { localStorage.setItem(`acidtest-${name}`, text); } catch { storage.works = false; } },
};

{
  const themes = ["auto", "light", "dark"];
  const button = element("theme");
  let theme = themes.includes(storage.get("theme")) ? storage.get("theme") : "auto";
  const show = () => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.lastElementChild.textContent = theme;
  };
  show();
  button.hidden = false;
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    show();
    storage.set("theme", theme);
  });
}

// The names of the sentences, in the order of the columns.
const sentences = data.columns.slice(2, 2 + data.items[0].length);

const sheet = (() => {
  const formula = (text) => /^'*[=+\-@\t\r]/.test(text);
  const guarded = (text) => (formula(text) ? `'${text}` : text);
  const quoted = (text) => (/[,;\t"\n\r]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text);
  const line = (cells) => `${cells.map((cell) => quoted(cell)).join(",")}\n`;
  // The text of the file, in the judge's order.
  const text = (judge, order, answers) => {
    const row = (item) => {
      const own = answers[item] ?? {};
      const given = data.questions.map(({ name }) => own[name] ?? "");
      return line([guarded(judge), String(item + 1), ...data.items[item].map(guarded), ...given, guarded(own.note ?? "")]);
    };
    return line(data.columns) + order.map(row).join("");
  };
  return { text };
})();

// Every judge sees the items in another order, and always in the same.
function orderOf(judge) {
  let state = 2166136261;
  for (const letter of `${data.seed}/${judge}`) state = Math.imul(state ^ letter.codePointAt(0), 16777619);
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const order = data.items.map((_, item) => item);
  for (let end = order.length - 1; end > 0; end -= 1) {
    const at = Math.floor(random() * (end + 1));
    [order[end], order[at]] = [order[at], order[end]];
  }
  return order;
}

const work = { judge: "", order: data.items.map((_, item) => item), answers: {}, at: 0, unsaved: false };
const own = () => (work.answers[work.order[work.at]] ??= {});
const isAnswered = (item) => data.questions.every(({ name }) => work.answers[item]?.[name]);
const plural = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;

function keep() {
  work.unsaved = true;
  storage.set(`review-${data.review}-${work.judge}`, JSON.stringify({ answers: work.answers, at: work.at }));
  element("trouble").hidden = storage.works;
  if (!storage.works) element("trouble").textContent = "This browser does not store answers: save the file before you close the page.";
}

function say(text) {
  element("said").textContent = text;
}

function showProgress() {
  const done = work.order.filter(isAnswered).length;
  Object.assign(element("done"), { max: work.order.length, value: done });
  element("answered").textContent = `${done} of ${plural(work.order.length, "pair")} answered`;
  element("open").disabled = done === work.order.length;
  return done === work.order.length;
}

function show() {
  const item = work.order[work.at];
  element("place").textContent = `Pair ${work.at + 1} of ${work.order.length} (item ${item + 1})`;
  const list = document.createElement("dl");
  for (const [place, name] of sentences.entries()) {
    const original = name.startsWith("original");
    list.append(made("dt", name[0].toUpperCase() + name.slice(1)), made("dd", data.items[item][place], { dir: "auto", className: original ? "before" : "" }));
  }
  element("pair").replaceChildren(list);
  for (const { name, choices } of data.questions) {
    for (const { value } of choices) radio(name, value).checked = own()[name] === value;
  }
  element("note").value = own().note ?? "";
  element("back").disabled = work.at === 0;
  element("next").disabled = work.at === work.order.length - 1;
  showProgress();
}

function go(to) {
  if (to < 0 || to >= work.order.length || to === work.at) return;
  work.at = to;
  keep();
  show();
  // The new pair is read out, and keys work whatever was clicked before.
  element("pair").focus({ preventScroll: true });
  element("work").scrollIntoView({ block: "nearest" });
}

function goToOpen() {
  const places = work.order.map((_, step) => (work.at + 1 + step) % work.order.length);
  const open = places.find((place) => !isAnswered(work.order[place]));
  if (open !== undefined) go(open);
}

function answer(name, value) {
  const item = work.order[work.at];
  const before = isAnswered(item);
  own()[name] = value;
  radio(name, value).checked = true;
  keep();
  const finished = showProgress();
  if (finished) say("All pairs are answered. Save the file and send it back.");
  else say(`${name}: ${value}`);
  if (!before && isAnswered(item) && element("onward").checked && !finished) {
    const next = work.at + 1 < work.order.length ? work.at + 1 : work.at;
    if (next === work.at || isAnswered(work.order[next])) goToOpen();
    else go(next);
  }
}

function save() {
  const name = work.judge.replace(/[^\p{L}\p{N}_.-]+/gu, "-").replace(/^[.-]+/, "") || "judge";
  const address = URL.createObjectURL(new Blob([sheet.text(work.judge, work.order, work.answers)], { type: "text/csv" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: `${name}.csv` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  work.unsaved = false;
  const left = work.order.filter((item) => !isAnswered(item)).length;
  say(`Saved as ${name}.csv${left ? `; ${plural(left, "pair")} not answered yet` : ""}.`);
}

// The questions, once; the answers of each pair are put into them.
for (const { name, text, choices } of data.questions) {
  const choice = ({ value, key, meaning }) => {
    const input = Object.assign(document.createElement("input"), { type: "radio", name, id: radioId(name, value), value });
    input.addEventListener("change", () => answer(name, value));
    return made("label", [input, made("span", [made("b", value), " ", made("kbd", key)]), made("small", meaning)]);
  };
  element("questions").append(made("fieldset", [made("legend", text), made("div", choices.map(choice), { className: "choices" })]));
}
element("keys").append(
  ...data.questions.flatMap(({ choices }) => choices).flatMap(({ value, key }) => [made("kbd", key), ` ${value}, `]),
  made("kbd", "t"), " note, ", made("kbd", "Esc"), " leaves the note, ", made("kbd", "Delete"), " clears the answers of this pair, ",
  made("kbd", "←"), " ", made("kbd", "→"), " go back and on.");
element("task").textContent = `${plural(data.items.length, "pair")} of sentences, ${plural(data.questions.length, "question")} each. Judge every pair by itself, by what the sentences say.`;

// On paper: every pair with boxes to tick.
function fillPaper() {
  const boxes = ({ text, choices }) => made("p", `${text}  ${choices.map(({ value }) => `☐ ${value}`).join("   ")}`, { className: "boxes" });
  const entry = (item) => made("li", [made("p", made("b", `Item ${item + 1}`)),
    ...sentences.map((name, place) => made("p", `${name[0].toUpperCase() + name.slice(1)}: ${data.items[item][place]}`)), ...data.questions.map(boxes)]);
  element("paper").replaceChildren(...work.order.map(entry));
}
fillPaper();

element("judge").value = storage.get(`review-${data.review}`) ?? "";
element("start").addEventListener("submit", (event) => {
  event.preventDefault();
  const judge = element("judge").value.trim();
  if (!judge) return;
  work.judge = judge;
  work.order = orderOf(judge);
  let stored = null;
  try { stored = JSON.parse(storage.get(`review-${data.review}-${judge}`) ?? "null"); } catch { /* damaged drafts are dropped */ }
  work.answers = stored?.answers ?? {};
  work.at = Math.min(Math.max(0, stored?.at ?? 0), work.order.length - 1);
  storage.set(`review-${data.review}`, judge);
  element("start").hidden = true;
  element("work").hidden = false;
  fillPaper();
  show();
  if (stored) say("Your earlier answers have been restored.");
  element("pair").focus({ preventScroll: true });
});

element("note").addEventListener("input", () => {
  own().note = element("note").value;
  keep();
});
element("back").addEventListener("click", () => go(work.at - 1));
element("next").addEventListener("click", () => go(work.at + 1));
element("open").addEventListener("click", goToOpen);
element("save").addEventListener("click", save);

document.addEventListener("keydown", (event) => {
  if (element("work").hidden || event.ctrlKey || event.metaKey || event.altKey) return;
  const inNote = event.target === element("note");
  if (inNote) {
    if (event.key === "Escape" || event.key === "Enter") {
      event.preventDefault();
      element("pair").focus({ preventScroll: true });
    }
    return;
  }
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  // Who has moved to the answers by keyboard chooses among them with arrows, as everywhere.
  if (step && !event.target.matches("input[type='radio']:focus-visible")) {
    event.preventDefault();
    go(work.at + step);
    return;
  }
  if (!element("shortcuts").checked) return;
  if (event.key === "Delete") {
    const { note } = own();
    work.answers[work.order[work.at]] = note ? { note } : {};
    keep();
    show();
    say("Answers of this pair cleared.");
    return;
  }
  const key = event.key.toLowerCase();
  if (key === "t") {
    event.preventDefault();
    element("note").focus();
    return;
  }
  for (const { name, choices } of data.questions) {
    const choice = choices.find((one) => one.key === key);
    if (choice) {
      event.preventDefault();
      answer(name, choice.value);
      return;
    }
  }
});

addEventListener("beforeunload", (event) => {
  if (work.unsaved && !storage.works) event.preventDefault();
});
