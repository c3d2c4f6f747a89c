// Checks a page of `komadori-match -html` in a browser as a reader would use it. Prints "ok TEXT" or
// "no TEXT" for each check, and after it the value found.
// usage: node match.mjs FOLDER BROWSER PAGE
// FOLDER is where npm has put playwright-core. A changed copy of the page stands for a match in progress.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, browserPath, file] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(folder), "x.js"))("playwright-core");
const urlOf = (path) => pathToFileURL(resolve(path)).href;

function check(text, isGood, found = "") {
  console.log(`${isGood ? "ok" : "no"} ${text}${isGood || found === "" ? "" : `: ${JSON.stringify(found)}`}`);
}
const same = (text, got, want) => check(text, JSON.stringify(got) === JSON.stringify(want), { got, want });

const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const troubles = [];

async function open({ hasClock, ...options } = {}, hash = "", path = file) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US", ...options });
  const page = await context.newPage();
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
  page.on("request", (request) => /^(file|data|blob|about):/.test(request.url()) || troubles.push(request.url()));
  if (hasClock) {
    await page.clock.install();
  }
  await page.goto(urlOf(path) + hash);
  return page;
}

const broken = /undefined|NaN|\[object|null|Infinity/;

async function layout() {
  for (const [width, height] of [[1280, 900], [1920, 1080], [390, 844]]) {
    const page = await open({ viewport: { width, height }, isMobile: width < 500, hasTouch: width < 500 });
    same(`nothing is wider than a screen of ${width}`, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    await page.context().close();
  }
}

async function words() {
  const page = await open();
  for (const lang of ["en", "ja"]) {
    same(`the page is in its language, ${lang}`, await page.evaluate(() => document.documentElement.lang), lang);
    const text = await page.locator("body").innerText();
    check("and no word is missing", !broken.test(text), broken.exec(text) && text.slice(Math.max(0, broken.exec(text).index - 60)).slice(0, 120));
    const marks = await page.evaluate(() => document.body.innerHTML.match(/title="[^"]*(undefined|NaN)|="[^"]*NaN/g));
    same("nor in titles and attributes", marks, null);
    await page.locator("#lang").click();
  }
  const nameless = await page.evaluate(() => [...document.querySelectorAll("main button:not([hidden]), header button:not([hidden]), main a, [role=img]")]
    .filter((element) => !(element.getAttribute("aria-label") || element.textContent).trim()).map((element) => element.outerHTML.slice(0, 80)));
  same("each control has a name", nameless, []);
  same("the title has the games", await page.evaluate(() => document.title.includes(String(D.done))), true);
  check("the command line can be read", (await page.locator("#facts code").innerText()).startsWith("komadori-match -"));
  await page.context().close();
}

async function tables() {
  const page = await open();
  const wanted = await page.evaluate(() => D.order.map((engine) => [E[engine].name, String(E[engine].points)]));
  const rows = await page.locator("#table tbody tr").evaluateAll((all) => all.map((row) =>
    [row.querySelector(".text").innerText.trim(), String(Number(row.querySelector("b").innerText))]));
  same("the table has the engines by rank", rows, wanted);
  const all = await page.evaluate(() => E.reduce((sum, _, row) => sum + cross[row].reduce((more, wdl) => more + (wdl ? wdl[0] + wdl[1] + wdl[2] : 0), 0), 0));
  same("each game is counted in two cells", all, 2 * await page.evaluate(() => D.done));
  same("the list has all games", await page.locator("#rows tr").count(), await page.evaluate(() => Math.min(100, D.games.length)));
  const cell = page.locator("#table [data-pair]").first();
  const pair = (await cell.getAttribute("data-pair")).split(",").map(Number);
  await cell.click();
  same("a cell shows the games of its two engines", await page.locator("#rows tr").count(), await page.evaluate(([a, b]) =>
    D.games.filter(({ black, white }) => [a, b].includes(black) && [a, b].includes(white)).length, pair));
  const end = page.locator("#ends button").first();
  const key = await end.getAttribute("data-end");
  await end.click();
  same("a way of ending shows the games that ended so", await page.locator("#rows tr").count(), await page.evaluate((name) => D.games.filter((game) => game.end === name).length, key));
  await page.locator("#filter").fill("");
  for (const [up, sign] of [[false, -1], [true, 1]]) {
    await page.locator("#head [data-key='plies']").click();
    const plies = (await page.locator("#rows td:nth-child(6)").allInnerTexts()).map(Number);
    check(`a click on a head sorts, ${up ? "up" : "down"}`, plies.every((n, i) => i === 0 || sign * (n - plies[i - 1]) >= 0), plies);
  }
  await page.context().close();
}

async function kinds() {
  const page = await open();
  if (await page.evaluate(() => isPair)) {
    const said = await page.locator("#result").innerText();
    const { sprt, score, elo } = await page.evaluate(() => ({ sprt: D.sprt, score: E[0].score, elo: eloText(E[0]) }));
    check("the result has Elo", said.includes(elo), said);
    check("wins and losses", said.includes(`${score[0]} won`) || score[0] === 0, said);
    check("and the verdict in words", said.includes({ H0: "H0 accepted", H1: "H1 accepted", "goes on": "Undecided" }[sprt.state]), said);
    same("there are two charts", await page.locator("#elo .curve, #llr .curve").count(), 2);
  }
  await page.context().close();
}

async function charts() {
  const page = await open();
  await page.locator("#elo svg").scrollIntoViewIfNeeded();
  const box = await page.locator("#elo svg").boundingBox();
  await page.mouse.move(box.x + box.width * 0.9, box.y + 60);
  const tip = await page.locator("#elo .tip").innerText();
  check("the chart shows the values under the pointer", /^\d+ games\n/.test(tip) && /\d\.\d/.test(tip), tip);
  await page.mouse.move(2, 2);
  same("until it leaves", await page.locator("#elo .tip").isVisible(), false);
  const outside = await page.evaluate(() => [...document.querySelectorAll(".chart svg")].filter((svg) => {
    const around = svg.getBoundingClientRect();
    return [...svg.querySelectorAll("text")].some((text) => {
      const { left, right } = text.getBoundingClientRect();
      return left < around.left - 1 || right > around.right + 1;
    });
  }).length);
  same("no text leaves its chart", outside, 0);
  await page.context().close();
}

// An interval with one known end is written with that end, and drawn to the edge of the chart.
async function intervals() {
  const page = await open();
  if (await page.evaluate(() => isPair)) {
    const said = async (engine, history) => {
      await page.evaluate(([more, curves]) => {
        Object.assign(E[0], { games: 8, elo: 338, eloError: null, ...more });
        Object.assign(D.history, { stride: 2, elo: { 0: [300, 320, 330, 338] }, llr: [0, 0, 0, 0], ...curves });
        renderMatch();
      }, [engine, history]);
      const shape = await page.locator("#elo .area").count() === 0 ? null : await page.locator("#elo .area").evaluate((band) => {
        const { y, height } = band.getBBox();
        const frame = document.querySelector("#elo .frame").getBBox();
        return [y - frame.y < 1, frame.y + frame.height - y - height < 1];
      });
      return [await page.locator("#result .numbers dd").first().innerText(), shape];
    };
    const none = [null, null, null, null];
    same("an Elo without an upper end", await said({ eloLow: 120, eloHigh: null }, { low: [null, 90, 100, 120], high: none }), ["+338.0 (+120.0 … +∞)", [true, false]]);
    same("without a lower end", await said({ eloLow: null, eloHigh: 400 }, { low: none, high: [500, 450, 420, 400] }), ["+338.0 (−∞ … +400.0)", [false, true]]);
    same("and without both", await said({ eloLow: null, eloHigh: null }, { low: none, high: none }), ["+338.0 ± ∞", null]);
  }
  await page.context().close();
}

async function games() {
  const page = await open();
  const number = await page.evaluate(() => D.games.find(({ plies }) => plies > 6).game + 1);
  const at = () => page.evaluate(() => plyOf.get(state.at));
  await page.locator(`#rows a[href='#game=${number}']`).click();
  await page.locator("#moves").waitFor();
  const seen = await page.evaluate(() => ({ moves: main.length, end: state.at === main[main.length - 1], curves: document.querySelectorAll("#plot .curve").length }));
  const wanted = await page.evaluate((n) => wholeGame(D.games.find(({ game }) => game === n - 1)).moves.length + 2, number);
  same("a game opens at its end, with all moves", [seen.moves, seen.end], [wanted, true]);
  same("both engines have a curve", seen.curves, 2);
  const { start, moves, notes } = await page.evaluate((n) => D.games.find(({ game }) => game === n - 1), number);
  same("each move has its engine's score", await page.evaluate(() => onMain().filter(({ usi, score }) => usi && score !== undefined).length),
    notes.filter(([told]) => told !== null).length);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  same("keys step through it", await at(), wanted - 3);
  const line = await page.evaluate(() => usiText(nodes[0].sfen, usiMoves()));
  check("its line for programs has all moves", line.startsWith("sfen ") && line.endsWith(moves) &&
    line.includes((start.split(" moves ")[1] || "")), line);
  for (const lang of ["ja", "en"]) {
    await page.keyboard.press("l");
    const text = await page.locator("body").innerText();
    check(`and no word is missing, ${lang}`, !broken.test(text), text.slice(0, 300));
  }
  same("nothing is wider than the screen", await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  await page.reload();
  same("it stays open at its move when the page is reloaded", await at(), wanted - 3);
  if (await page.locator("#next").isEnabled()) {
    await page.locator("#next").click();
    await page.waitForFunction((n) => !location.hash.startsWith(`#game=${n}`), number);
    check("the next game can be reached", await at() > 0);
  }
  await page.keyboard.press("Escape");
  await page.locator("#table").waitFor();
  check("Escape returns to the tournament", await page.locator("#table").isVisible() && await page.locator("#board").count() === 0);
  await page.context().close();
}

// A page of a match in progress, made from this one by turning its last game into one that is still played.
async function refreshes() {
  const path = file.replace(/\.html$/, "-live.html");
  const text = readFileSync(file, "utf8");
  const [head, rest] = text.split(/(?<=<script id="data" type="application\/json">)/);
  const json = rest.slice(0, rest.indexOf("</script>"));
  const data = JSON.parse(json);
  const { winner, end, plies, ms, count, nodes, ...live } = data.games.pop();
  data.playing = [{ ...live, left: [1000, -1] }];
  Object.assign(data, { state: "running", now: Math.floor(Date.now() / 1000), done: data.done - 1 });
  writeFileSync(path, head + JSON.stringify(data).replace(/</g, "\\u003c") + rest.slice(json.length));
  const page = await open({ hasClock: true }, "", path);
  const { width, height } = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  check("on a phone it comes before the settings", await page.evaluate(() =>
    $("playing").getBoundingClientRect().top < $("facts").getBoundingClientRect().top));
  await page.setViewportSize({ width, height });
  same("a game in progress has a board", await page.locator("#playing svg .piece").count() > 20, true);
  check("and no word is missing", !broken.test(await page.locator("body").innerText()));
  const mark = () => page.evaluate(() => { window.isOld = true; });
  const isReloaded = () => page.waitForFunction(() => window.isOld === undefined, null, { timeout: 20000 }).then(() => true, () => false);
  await mark();
  await page.clock.runFor(15000);
  check("the page reloads itself", await isReloaded());
  await mark();
  await page.locator("#pause").click();
  await page.clock.runFor(300000);
  await page.waitForTimeout(300);
  check("not after Stop refreshing", await page.evaluate(() => window.isOld));
  await page.locator("#pause").click();
  await page.clock.runFor(60000);
  check("but again after Refresh", await isReloaded());
  await page.locator("#playing a").click();
  await page.locator("#moves .row").first().waitFor();
  same("the game in progress can be opened, and its address is that of its end", await page.evaluate(() => [state.at, location.hash]),
    await page.evaluate(() => [nodes.length - 1, `#game=${D.playing[0].game + 1}`]));
  await page.context().close();
  const ended = await open();
  check("a page of a finished match does not", await ended.locator("#pause").isHidden());
  await ended.evaluate(() => {
    E.forEach((engine) => Object.assign(engine, { games: 0, points: 0, elo: 0, eloError: null, pairs: [0, 0, 0, 0, 0] }));
    renderMatch();
  });
  check("before the first result there are no numbers", !/∞|0\.0/.test(await ended.locator("#result .numbers").innerText()));
  await ended.context().close();
}

// The contrast ratio as WCAG 2 defines it: at least 4.5 for text.
async function colors() {
  const grounds = [];
  for (const colorScheme of ["light", "dark"]) {
    const page = await open({ colorScheme });
    const faint = await page.evaluate(() => {
      const light = (color) => {
        const [r, g, b] = color.match(/[\d.]+/g).map((n) => Number(n) / 255)
          .map((n) => (n <= 0.03928 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const card = light(getComputedStyle(document.getElementById("games")).backgroundColor);
      return [...document.querySelectorAll("td, th, dt, dd, h2, p:not(.shares), .legend span, a")]
        .map((element) => getComputedStyle(element).color)
        .concat([...document.querySelectorAll(".chart text")].map((element) => getComputedStyle(element).fill))
        .filter((color, i, all) => all.indexOf(color) === i)
        .filter((color) => {
          const [low, high] = [card, light(color)].sort((a, b) => a - b);
          return (high + 0.05) / (low + 0.05) < 4.5;
        });
    });
    same(`text has enough contrast in ${colorScheme}`, faint, []);
    grounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    await page.context().close();
  }
  check("dark has another background than light", grounds[0] !== grounds[1], grounds);
}

const isMatch = /"sprt":/.test(readFileSync(file, "utf8"));
const parts = [layout, words, tables, kinds, charts, intervals, games, ...(isMatch ? [colors, refreshes] : [])];
for (const part of parts) {
  try {
    await part();
  } catch (error) {
    check(part.name, false, error.message.split("\n").slice(0, 3));
  }
}
same("no script error and no request", troubles, []);
await browser.close();
