// Looks at the index of a folder of analysed games in a browser. Prints "ok TEXT" or "no TEXT" for
// each thing. usage: node index.mjs FOLDER BROWSER INDEX
// FOLDER is where npm has put playwright-core.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, browserPath, file] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(folder), "x.js"))("playwright-core");

function check(text, isGood, found = "") {
  console.log(`${isGood ? "ok" : "no"} ${text}${isGood ? "" : `: ${JSON.stringify(found)}`}`);
}
const same = (text, got, want) => check(text, JSON.stringify(got) === JSON.stringify(want), { got, want });

const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const page = await browser.newPage({ locale: "ja-JP", viewport: { width: 1280, height: 900 } });
const troubles = [];
page.on("pageerror", (error) => troubles.push(error.message));
page.on("request", (request) => request.url().startsWith("file:") || troubles.push(request.url()));
await page.goto(pathToFileURL(resolve(file)).href);

const games = await page.evaluate(() => DATA);
const rows = page.locator("#rows tr");
check("there are several games", games.length > 1, games.length);
same("each has a row", await rows.count(), games.length);
same("and a graph", await page.locator("#rows svg").count(), games.length);
const links = await page.locator("#rows a").evaluateAll((all) => all.map((link) => decodeURIComponent(link.getAttribute("href"))));
same("each link leads to a page", links.filter((link) => !existsSync(join(dirname(file), link))), []);

// The numbers of a column, as they are shown.
const column = async (key) => {
  const index = await page.evaluate((name) => Object.keys(INDEX.columns).indexOf(name), key);
  return (await page.locator(`#rows td:nth-child(${index + 1})`).allInnerTexts()).map(parseFloat);
};
for (const key of ["length", "blackAccuracy", "whiteAccuracy"]) {
  await page.locator(`[data-key="${key}"]`).click();
  const down = await column(key);
  same(`${key} sorts, the largest first`, down, [...down].sort((a, b) => b - a));
  check("by what is known", down.every((number) => number > 0), down);
  await page.locator(`[data-key="${key}"]`).click();
  same("and the other way round", await column(key), [...down].sort((a, b) => a - b));
  same("as the column says", await page.locator("th:has([data-key='" + key + "'])").getAttribute("aria-sort"), "ascending");
}
const named = games.find((game) => game.handicap);
if (named) {
  await page.locator("#filter").fill(named.handicap);
  same("the filter finds", await rows.count(), games.filter((game) => (game.handicap || "").includes(named.handicap)).length);
  await page.locator("#filter").fill("");
}
same("a handicap game is won by 下手 or 上手", await page.evaluate(() => ["black", "white"].map((result) =>
  resultOf({ ...DATA[0], handicap: "香落ち", result }))), ["下手勝ち", "上手勝ち"]);
await page.locator("#lang").click();
same("the page has two languages", await page.evaluate(() => document.documentElement.lang), "en");
const english = await page.locator("body").innerText();
check("without a word missing", !/undefined|NaN|\[object/.test(english));
check("and with the handicap in English", !named || /handicap/i.test(await page.locator("#rows").innerText()));
await page.reload();
same("the language is kept", await page.evaluate(() => document.documentElement.lang), "en");
await page.setViewportSize({ width: 390, height: 844 });
same("nothing is wider than a phone", await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
const outside = await page.locator("#rows td").evaluateAll((all) => all.filter((cell) => cell.getBoundingClientRect().right > innerWidth).length);
same("where all of a game is in view", outside, 0);
await page.setViewportSize({ width: 1280, height: 900 });
await page.locator("#rows a").first().click();
await page.locator("#back:visible").click();
check("a page leads back to the index", page.url().endsWith("/index.html"), page.url());
same("no script fails and nothing is fetched", troubles, []);
await browser.close();
