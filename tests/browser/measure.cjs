// Measures the time until the page is usable: from the start of the navigation until the examples are shown and can be filtered.

const { launch, address } = require("./chromium.cjs");

const work = process.argv[2];
const RUNS = 5;

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/// In the page: waits until examples are shown, then for a frame; milliseconds since the navigation began.
const usable = () => new Promise((resolve) => {
  const look = () => {
    const list = document.querySelector("#rows");
    if (list && list.children.length > 0 && list.getAttribute("aria-busy") === "false") requestAnimationFrame(() => resolve(performance.now()));
    else setTimeout(look, 2);
  };
  look();
});

/// In the page: milliseconds until the first paint.
const painted = () => new Promise((resolve) => {
  const look = (list) => list.getEntries().filter((entry) => entry.name === "first-contentful-paint").forEach((entry) => resolve(entry.startTime));
  new PerformanceObserver(look).observe({ type: "paint", buffered: true });
});

/// In the page: milliseconds from the last key press until all texts have been searched.
const searched = async (words) => {
  const start = performance.now();
  const query = document.querySelector("#query");
  query.value = words;
  query.dispatchEvent(new Event("input"));
  const done = () => new URLSearchParams(location.hash.split("?")[1]).get("q") === words && document.querySelector("#progress").hidden;
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 10));
  return performance.now() - start;
};

(async () => {
  const times = { top: [], examples: [], filter: [], search: [], again: [] };
  for (let run = 0; run < RUNS; run++) {
    const context = await launch(work, { viewport: { width: 1280, height: 860 } });
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(address(work));
    times.top.push(await page.evaluate(painted));
    await page.goto("about:blank");
    await page.goto(`${address(work)}#examples`, { waitUntil: "commit" });
    times.examples.push(await page.evaluate(usable));
    times.filter.push(await page.evaluate(async (usable) => {
      const start = performance.now();
      document.querySelector("#filter-right input[value=wrong]").click();
      await new Function(`return (${usable})()`)();
      return performance.now() - start;
    }, usable.toString()));
    if (run === 0) {
      times.search.push(await page.evaluate(searched, "museum village"));
      times.again.push(await page.evaluate(searched, "ancient federal"));
      console.log(await page.locator("#count").innerText());
    }
    await context.close();
  }
  const names = { top: "first paint of the page", examples: "examples usable since navigation start", filter: "a filter", search: "search through all texts", again: "another search" };
  for (const [name, numbers] of Object.entries(times)) {
    console.log(`${names[name]}: median ${median(numbers).toFixed(0)} ms of ${numbers.length} (${numbers.map((number) => number.toFixed(0)).join(", ")})`);
  }
})();
