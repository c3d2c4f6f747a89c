// match.js: the page of a tournament, which also shows each of its games. It draws the object that
// docs/match.md describes.
"use strict";

const D = DATA;
const E = D.engines || [];
const MATCH_HTML = `<div id="standing"><section id="result"></section><section id="table"></section></div>` +
  ["facts", "playing", "elo", "llr", "speed", "ends"].map((id) => `<section id="${id}"></section>`).join("") +
  `<section id="games"><h2 data-text="games"></h2><input id="filter" type="search"> <span class="dim" id="count" role="status"></span>` +
  `<table class="list"><thead><tr id="head"></tr></thead><tbody id="rows"></tbody></table>` +
  `<button id="more" type="button" hidden></button></section>`;
const PALETTE = ["#2f7ed8", "#d9482b", "#2e9d4f", "#9b59b6", "#c9862b", "#16a0a0", "#d6478f", "#7f8c8d",
  "#5b6ee1", "#8a9a1f", "#b0553a", "#4aa3df"];
const [GREEN, RED] = ["#2e9d4f", "#d9482b"];
const colorOf = (engine) => PALETTE[D.order.indexOf(engine) % PALETTE.length];
const swatch = (color) => `<span class="swatch" style="background:${color}"></span>`;

// ---- Texts --------------------------------------------------------------------------------------

const nameOf = (engine) => escapeText(E[engine].name);
const minus = (value) => String(value).replace("-", "−");
const grouped = (value) => value.toLocaleString(t("locale"));
const pointsText = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(1));
const endName = (key) => t("endNames")[key] || key;

// The 95 % interval; an unknown end is infinite.
const intervalText = (low, high) => `${low === null ? "−∞" : signed(low)} … ${high === null ? "+∞" : signed(high)}`;

// Elo with its error or, if only one end of the interval is known, with the interval.
function eloText({ elo, eloError, eloLow, eloHigh, games, points }) {
  if (games === 0) {
    return "–";
  }
  const text = elo !== null ? signed(elo) : points > games / 2 ? "+∞" : "−∞";
  if ((eloLow === null) !== (eloHigh === null)) {
    return `${text} (${intervalText(eloLow, eloHigh)})`;
  }
  return elo === null ? text : `${text} ± ${eloError === null ? "∞" : eloError.toFixed(1)}`;
}
const losText = ({ los, games }) => (los === null || games === 0 ? "–" : `${los.toFixed(1)} %`);

// A span of time in its two largest units.
function spanText(seconds) {
  const lengths = [1, 60, 3600, 86400];
  const unit = Math.max(0, lengths.findLastIndex((length) => seconds >= length));
  const less = unit > 0 ? Math.floor((seconds % lengths[unit]) / lengths[unit - 1]) : 0;
  return Math.floor(seconds / lengths[unit]) + t("units")[unit] + (less > 0 ? ` ${less}${t("units")[unit - 1]}` : "");
}

const dates = () => new Intl.DateTimeFormat(t("locale"), { dateStyle: "medium", timeStyle: "short" });
const dateText = (seconds) => dates().format(seconds * 1000);

// Words quoted for a shell.
const quoted = (words) => words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`)).join(" ");

// ---- Sums ---------------------------------------------------------------------------------------

const pointsOf = ([wins, draws]) => wins + draws / 2;
const countOf = (wdl) => wdl[0] + wdl[1] + wdl[2];
const wdlText = (wdl) => `+${wdl[0]} =${wdl[1]} −${wdl[2]}`;
const plus = (a, b) => a.map((value, i) => value + b[i]);
const turned = ([wins, draws, losses]) => [losses, draws, wins];

// The results of each pair of engines, cross[row][column] = [wins, draws, losses], and those of each
// engine as black and as white.
const cross = E.map(() => E.map(() => [0, 0, 0]));
const byColor = E.map(() => [[0, 0, 0], [0, 0, 0]]);
for (const { first, second, black, white } of D.encounters || []) {
  const sum = plus(black, white);
  cross[first][second] = plus(cross[first][second], sum);
  cross[second][first] = plus(cross[second][first], turned(sum));
  byColor[first] = [plus(byColor[first][BLACK], black), plus(byColor[first][WHITE], white)];
  byColor[second] = [plus(byColor[second][BLACK], turned(white)), plus(byColor[second][WHITE], turned(black))];
}
const isPair = E.length === 2;

// ---- The head and the settings ------------------------------------------------------------------

const playersText = () => (isPair ? `${E[0].name} ${t("versus")} ${E[1].name}` : t("many", E.length));
const kindText = () => t("kinds")[isPair && D.kind === "round-robin" ? "match" : D.kind];

function renderMatchHead() {
  const title = D.event || (isPair ? playersText() : `${kindText()}: ${playersText()}`);
  const done = t("doneOf", D.done, D.wanted);
  $("title").textContent = title;
  document.title = `${title} (${done})`;
  $("sub").textContent = [D.event ? playersText() : "", D.event || isPair ? kindText() : "", done].filter(Boolean).join(" · ");
  const isStale = D.state === "running" && age() > STALE;
  $("state").textContent = t("states")[D.state] + (isStale ? ` (${t("stale", spanText(age()))})` : "");
  $("state").title = isStale ? t("noNews") : "";
  $("state").className = D.state;
  $("pause").hidden = D.state !== "running";
  $("pause").textContent = t(isPaused() ? "resume" : "pause");
}

// The remaining time, if games continue at the speed so far.
function secondsLeft() {
  const played = D.done - D.doneBefore;
  return D.state === "running" && D.wanted !== null && played > 0
    ? (D.now - D.start) * (D.wanted - D.done) / played : null;
}

function renderFacts() {
  const times = [...new Set(E.map(({ time }) => time))];
  const left = secondsLeft();
  const facts = [
    ["event", D.event], ["site", D.site],
    ["day", D.start ? dates().formatRange(D.start * 1000, D.now * 1000) : dateText(D.now)],
    ["lasted", D.start && spanText(D.now - D.start)],
    ["toGo", left !== null && spanText(left)],
    ["kind", [kindText(), t("roundsOf", D.roundCount), t("each", D.gamesPerEncounter)].slice(0, D.wanted === null && isPair ? 1 : 3).join(", ")],
    ["timeControl", times.length === 1 ? times[0] : E.map(({ name, time }) => `${name}: ${time}`).join(", ")],
    ["machine", D.cores && [D.machine, t("cores", D.cores)].filter(Boolean).join(", ")],
    ["program", [D.program, D.build].filter(Boolean).join(", ")],
    ["signature", D.done > 0 && D.signature],
  ];
  $("facts").innerHTML = `<h2>${t("facts")}</h2><dl>` + facts.filter(([, text]) => text)
    .map(([key, text]) => `<dt>${t(key)}</dt><dd>${escapeText(text)}</dd>`).join("") +
    `<dt>${t("command")}</dt><dd><code>${escapeText(quoted(["komadori-match", ...D.command]))}</code></dd></dl>`;
}

// ---- The result of two engines ------------------------------------------------------------------

// Shares as a bar: [count, text] of each part.
const sharesHtml = (parts) => `<div class="shares">${parts.map(([part, text], i) => (part === 0 ? ""
  : `<span class="s${i}" style="flex:${part}" title="${text}">${text}</span>`)).join("")}</div>`;

function sprtHtml() {
  const { sprt } = D;
  const bound = sprt.llr < 0 ? sprt.lower : sprt.upper;
  const test = {
    ...Object.fromEntries(["elo0", "elo1", "llr", "lower", "upper"].map((key) => [key, minus(sprt[key])])),
    alpha: sprt.alpha, beta: sprt.beta, unit: sprt.model === "normalised" ? "nElo" : "Elo", toward: sprt.llr < 0 ? "H0" : "H1",
    share: Math.min(100, 100 * sprt.llr / bound).toFixed(0), scale: t("scales")[sprt.model],
  };
  return `<p class="verdict ${sprt.state}">${t("accepts")[sprt.state](nameOf(0), nameOf(1), test)}<br>` +
    `<span class="dim">${t("errorRates", test)}</span></p>`;
}

function renderResult() {
  if (!isPair) {
    return;
  }
  const [a, b] = E;
  const nelo = a.nelo === null || a.games === 0 ? "–" : signed(a.nelo) + (a.neloError === null ? "" : ` ± ${a.neloError.toFixed(1)}`);
  const numbers = [["elo", eloText(a), t("error")], ["nelo", nelo, ""], ["los", losText(a), t("losHelp")],
    ["pairs", a.pairs && a.pairs.some(Boolean) ? a.pairs.join("–") : "", ""]];
  $("result").innerHTML = `<h2>${t("result")}</h2><div class="versus"><b>${nameOf(0)}</b>` +
    `<span class="points">${pointsText(a.points)} – ${pointsText(b.points)}</span><b>${nameOf(1)}</b></div>` +
    sharesHtml(["wins", "draws", "losses"].map((key, i) => [a.score[i], `${a.score[i]} ${t(key)}`])) +
    `<dl class="numbers">${numbers.filter(([, text]) => text).map(([key, text, help]) =>
      `<div title="${help}"><dt>${t(key)}</dt><dd>${text}</dd></div>`).join("")}</dl>` + (D.sprt ? sprtHtml() : "");
}

// ---- Tables -------------------------------------------------------------------------------------

// A table: heads are [text, class, help], rows are arrays of cells, which are HTML.
function tableHtml(title, heads, rows) {
  const cells = (row) => row.map((cell, i) => `<td class="${heads[i][1] || ""}">${cell}</td>`).join("");
  return `<h2>${title}</h2><div class="wide"><table><thead><tr>${heads.map(([text, name = "", help = ""]) =>
    `<th class="${name}" title="${help}">${text}</th>`).join("")}</tr></thead>` +
    `<tbody>${rows.map((row) => `<tr>${cells(row)}</tr>`).join("")}</tbody></table></div>`;
}

function crossCell(row, column) {
  const wdl = cross[row][column];
  return countOf(wdl) === 0 ? "" : `<button type="button" data-pair="${row},${column}" ` +
    `title="${nameOf(row)} – ${nameOf(column)}: ${wdlText(wdl)}">${pointsText(pointsOf(wdl))}/${countOf(wdl)}</button>`;
}

function renderTable() {
  const heads = [[t("rank")], [t("engine"), "text"], [t("games")], [t("points")], [t("share")], [t("wdl")],
    [t("elo"), "", t("error")], [t("los"), "", t("losHelp")], ...D.order.map((engine, rank) => [rank + 1, "", nameOf(engine)])];
  $("table").innerHTML = tableHtml(t("table"), heads, D.order.map((engine, rank) => {
    const { games, points, score } = E[engine];
    return [rank + 1, swatch(colorOf(engine)) + nameOf(engine), games, `<b>${pointsText(points)}</b>`,
      games ? (100 * points / games).toFixed(1) : "–", wdlText(score), eloText(E[engine]), losText(E[engine]),
      ...D.order.map((opponent) => crossCell(engine, opponent))];
  }));
}

function renderSpeed() {
  const heads = [[t("engine"), "text"], [t("timeControl"), "text"], [t("perMove")], [t("depth")], [t("nps")], [t("asBlack")],
    [t("asWhite")], [t("faults"), "text"]];
  const share = (wdl) => (countOf(wdl) ? `${(100 * pointsOf(wdl) / countOf(wdl)).toFixed(1)} % <span class="dim">${wdlText(wdl)}</span>` : "–");
  $("speed").innerHTML = tableHtml(t("speed"), heads, D.order.map((engine) => {
    const { ms, depth, nps, faults, moves, time } = E[engine];
    const lost = Object.entries(faults).map(([key, n]) => `${endName(key)} ${n}`).join(", ");
    return [nameOf(engine), escapeText(time), moves ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : "–",
      depth === undefined ? "–" : depth.toFixed(1), nps === undefined ? "–" : grouped(nps), ...byColor[engine].map(share),
      `<span class="${lost ? "m2" : "dim"}">${lost || t("none")}</span>`];
  }));
}

// Results by colour, and the reasons why games ended.
function renderEnds() {
  const share = (n) => `${(100 * n / Math.max(D.done, 1)).toFixed(1)} %`;
  const results = [["black", D.blackWins], ["draw", D.done - D.blackWins - D.whiteWins], ["white", D.whiteWins]];
  const ends = Object.entries(D.ends).sort(([, a], [, b]) => b - a);
  $("ends").innerHTML = `<h2>${t("ends")} <span class="dim">${D.done ? t("mean", D.length) : ""}</span></h2>` +
    sharesHtml(results.map(([key, n]) => [n, `${t("results")[key]} ${n} (${share(n)})`])) +
    `<p class="numbers">${ends.map(([key, n]) => `<span><button type="button" data-end="${key}">${endName(key)}</button> ` +
      `<b>${n}</b> <span class="dim">${share(n)}</span></span>`).join("")}</p>`;
}

// ---- Curves -------------------------------------------------------------------------------------

// Values after the first tenth: before that, the error is so large that it would hide all else.
const settled = (ys) => ys.slice(Math.floor(ys.length / 10));
const isKnown = ({ low, high }, i) => low[i] !== null || high[i] !== null;

// Curves over numbers of games: {title, xs, series: [{label, color, ys}], band: {label, color, low, high},
// levels: [{y, label, color}]}. An unknown end of the band is at the edge. Shows the values at the pointer.
function drawCurves(element, { title, xs, series, band, levels = [] }) {
  const legend = [...series, ...(band ? [band] : []), ...levels].map(({ label, color, low }) =>
    `<span>${swatch(color + (low ? "; opacity: 0.3" : ""))}${escapeText(label)}</span>`);
  element.innerHTML = `<h2>${escapeText(title)}</h2><div class="chart"><svg role="img"></svg><div class="tip" hidden></div></div>` +
    `<p class="numbers">${legend.join("")}</p>`;
  const svg = element.querySelector("svg");
  const tip = element.querySelector(".tip");
  const known = [...series.map(({ ys }) => ys), ...(band ? [band.low, band.high] : [])].flatMap(settled)
    .concat(levels.map(({ y }) => y), 0).filter((y) => y !== null && y !== undefined);
  const room = Math.max((Math.max(...known) - Math.min(...known)) * 0.05, 0.5);
  const ys = [Math.min(...known) - room, Math.max(...known) + room];
  const plot = makePlot(svg, { xs: [0, Math.max(1, xs[xs.length - 1])], ys, height: 250, left: 52, bottom: 34 });
  const yMarks = ticks(...ys).map((y) => [y, minus(Number(y.toPrecision(6))), Math.abs(y) < 1e-9 ? "zero" : "tick"]);
  const xMarks = ticks(0, xs[xs.length - 1], Math.min(8, plot.width / 90)).filter(Number.isInteger).map((x) => [x, grouped(x)]);
  const inBand = band ? xs.map((x, i) => [x, band.low[i] ?? -Infinity, band.high[i] ?? Infinity]).filter((_, i) => isKnown(band, i)) : [];
  svg.setAttribute("aria-label", title);
  svg.innerHTML = axesSvg(plot, xMarks, yMarks) +
    `<text x="${(plot.left + plot.right) / 2}" y="${plot.height - 3}" text-anchor="middle">${t("gameCount")}</text>` +
    levels.map(({ y, color }) => `<path class="level" style="stroke:${color}" d="M${plot.left},${plot.y(y)}H${plot.right}"/>`).join("") +
    (band ? areaSvg(plot, inBand, `style="fill:${band.color}"`) : "") +
    series.map(({ ys: values, color }) => curveSvg(plot, xs.map((x, i) => [x, values[i]]), `style="stroke:${color}"`)).join("") +
    `<path class="now"/>`;
  svg.addEventListener("pointermove", (event) => {
    const at = Math.max(0, Math.min(xs.length - 1, Math.round(plot.at(event) / xs[0]) - 1));
    const lines = series.filter(({ ys: values }) => values[at] !== null).map(({ label, ys: values }) => `${label}: ${signed(values[at], 2)}`);
    if (band && isKnown(band, at)) {
      lines.push(`${band.label}: ${intervalText(band.low[at], band.high[at])}`);
    }
    showTip(tip, plot, plot.x(xs[at]), [`${grouped(xs[at])} ${t("gameCount")}`, ...lines].join("\n"));
    svg.querySelector(".now").setAttribute("d", `M${plot.x(xs[at])},${plot.top}V${plot.bottom}`);
  });
  svg.addEventListener("pointerleave", () => {
    tip.hidden = true;
    svg.querySelector(".now").setAttribute("d", "");
  });
}

function renderCurves() {
  const { stride, elo, low, high, llr } = D.history;
  const { length } = Object.values(elo)[0];
  $("elo").className = $("llr").className = llr ? "half" : "";
  if (length === 0) {
    return;
  }
  const xs = Array.from({ length }, (_, i) => (i + 1) * stride);
  drawCurves($("elo"), isPair ? {
    title: t("eloChart", E[0].name, E[1].name), xs, series: [{ label: t("elo"), color: PALETTE[0], ys: elo[0] }],
    band: { label: t("interval"), color: PALETTE[0], low, high },
  } : {
    title: t("eloChartAll"), xs,
    series: D.order.filter((engine) => elo[engine]).map((engine) => ({ label: E[engine].name, color: colorOf(engine), ys: elo[engine] })),
  });
  if (llr) {
    drawCurves($("llr"), {
      title: t("llrChart"), xs, series: [{ label: "LLR", color: PALETTE[0], ys: llr }],
      levels: [{ y: D.sprt.upper, label: t("accept", "H1"), color: GREEN }, { y: D.sprt.lower, label: t("accept", "H0"), color: RED }],
    });
  }
}

// ---- The list of games --------------------------------------------------------------------------

const usedTime = ({ ms }) => (ms[0] + ms[1]) / 1000;
const winnerOf = (game) => (game.winner === "draw" ? null : game[game.winner]);
const wonHtml = (game, engine) => `<span class="${winnerOf(game) === engine ? "won" : ""}">${nameOf(engine)}</span>`;
// The end of a game with what an engine said about it.
const endText = ({ end, detail }) => endName(end) + (detail ? ` (${detail.length > 60 ? `${detail.slice(0, 59)}…` : detail})` : "");

// The columns: `value` is what the list is sorted by, and `html` what it shows (default: the value).
const COLUMNS = {
  // The number links to the game if its moves are still known.
  number: {
    value: ({ game }) => game + 1, isNumber: true,
    html: ({ game, moves }) => (moves === undefined ? String(game + 1) : `<a href="#game=${game + 1}">${game + 1}</a>`),
  },
  black: { value: (game) => E[game.black].name, html: (game) => wonHtml(game, game.black), isSide: true },
  white: { value: (game) => E[game.white].name, html: (game) => wonHtml(game, game.white), isSide: true },
  result: { value: (game) => t("results")[game.winner] },
  end: { value: endText },
  plies: { value: ({ plies }) => plies, isNumber: true },
  time: { value: usedTime, html: (game) => (usedTime(game) < 60 ? `${usedTime(game).toFixed(1)} s` : timeText(usedTime(game))), isNumber: true },
  day: { value: ({ last }) => last || 0, html: ({ last }) => (last ? dateText(last) : "") },
};
// How the list is sorted, how many rows it shows at most, and a filter besides the reader's.
const list = { key: "number", isUp: true, most: 100, isWanted: () => true };

// Numbers are compared as numbers, words as words.
function chosenGames() {
  const words = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (game) => `${E[game.black].name} ${E[game.white].name} ${endName(game.end)} ${game.end} ${t("results")[game.winner]}`.toLowerCase();
  const { value } = COLUMNS[list.key];
  const order = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b, look.lang));
  return D.games.filter((game) => list.isWanted(game) && words.every((word) => text(game).includes(word)))
    .sort((a, b) => order(value(a), value(b)) * (list.isUp ? 1 : -1));
}

// On a narrow screen, which shows no heads, numbers have a label.
function cellHtml(key, { value, html, isNumber, isSide }, game) {
  const shown = html ? html(game) : escapeText(String(value(game)));
  return `<td class="${isNumber ? "number" : isSide ? "side" : key}"${isNumber ? ` data-label="${t(key)}"` : ""}>${shown}</td>`;
}

function renderList() {
  const games = chosenGames();
  const columns = Object.entries(COLUMNS);
  $("filter").placeholder = t("filter");
  $("filter").setAttribute("aria-label", t("filter"));
  $("count").textContent = t("counted", games.length, D.games.length);
  $("head").innerHTML = columns.map(([key, { isNumber }]) => {
    const order = list.key !== key ? "none" : list.isUp ? "ascending" : "descending";
    return `<th scope="col" aria-sort="${order}" class="${isNumber ? "number" : ""}"><button type="button" data-key="${key}">` +
      `${t(key)}${{ none: "", ascending: " ▲", descending: " ▼" }[order]}</button></th>`;
  }).join("");
  $("rows").innerHTML = games.slice(0, list.most)
    .map((game) => `<tr>${columns.map(([key, column]) => cellHtml(key, column, game)).join("")}</tr>`).join("");
  $("more").hidden = games.length <= list.most;
  $("more").textContent = t("more", Math.min(500, games.length - list.most));
}

// A first click on a head sorts numbers from the largest and words from the first, a second one the
// other way round.
function watchList() {
  $("head").addEventListener("click", ({ target }) => {
    const { key } = target.dataset;
    if (key) {
      list.isUp = list.key === key ? !list.isUp : !COLUMNS[key].isNumber;
      list.key = key;
      renderList();
      $("head").querySelector(`[data-key="${key}"]`).focus();
    }
  });
  $("filter").addEventListener("input", () => {
    list.isWanted = () => true;
    renderList();
  });
  $("more").addEventListener("click", () => {
    list.most += 500;
    renderList();
  });
}

// Shows the games for which isWanted is true.
function showOnly(isWanted) {
  $("filter").value = "";
  list.isWanted = isWanted;
  renderList();
  $("games").scrollIntoView({ block: "start" });
}

// ---- One game -----------------------------------------------------------------------------------

// A score as in match.md: centipawns, and mates beyond 100,000.
const MATE = 100000;
function scoreOf(told) {
  if (Math.abs(told) <= MATE) {
    return { score: told, win: 100 / (1 + Math.exp(-told / 600)) };
  }
  const plies = 2 * MATE - Math.abs(told) || Infinity; // 0: a mate of unknown length
  return { score: told, win: told > 0 ? 100 : 0, mate: told > 0 ? plies : -plies };
}

const EVEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const wordsOf = (text) => text.split(" ").filter(Boolean);

// The start position and all moves of a game: {sfen, moves, opening}; `opening` moves are the opening's.
function wholeGame({ start, moves }) {
  const [setup, given = ""] = start.split(/ moves ?/);
  const opening = wordsOf(given);
  return {
    // Until its first move is there, a game in progress has no start.
    sfen: setup === "" || setup.startsWith("startpos") ? EVEN : setup.replace(/^sfen /, ""), moves: [...opening, ...wordsOf(moves)],
    opening: opening.length,
  };
}

function endedText(game) {
  if (game.winner === undefined) {
    return t("playing");
  }
  const winner = winnerOf(game);
  return `${t("results")[game.winner]}${winner === null ? "" : ` (${E[winner].name})`}: ${endText(game)}`;
}

// The number of pieces in a position; in a handicap game, some of the 40 are missing.
function pieceCount(sfen) {
  const [board, , hands] = sfen.split(" ");
  return board.replace(/[^a-z]/gi, "").length +
    [...hands.matchAll(/(\d*)[a-z]/gi)].reduce((sum, [, number]) => sum + Number(number || 1), 0);
}

// The data for startGame().
function viewOf(game) {
  const { sfen, moves, opening } = wholeGame(game);
  const first = sfen.split(" ")[1] === "w" ? WHITE : BLACK;
  const positions = [{ parent: -1, ply: 0, sfen }];
  const spent = [0, 0];
  moves.forEach((usi, i) => {
    const node = { parent: i, ply: i + 1, usi };
    const note = game.notes[i - opening];
    if (note) {
      const [told, ms, depth, line] = note;
      spent[(first + i) % 2] += ms / 1000;
      Object.assign(node, told === null ? {} : scoreOf(told), { time: ms / 1000, depth, pv: wordsOf(line) });
    }
    positions.push(node);
  });
  if (game.winner !== undefined) {
    const [ja, en] = WORDS.endNames;
    positions.push({ parent: moves.length, ply: moves.length, move: ja[game.end], english: en[game.end] });
  }
  const players = [BLACK, WHITE].map((side) => ({
    time: game.ms ? game.ms[side] / 1000 : spent[side], moves: game.ms ? game.count[side] : 0,
    nodes: game.nodes ? game.nodes[side] : 0, left: game.left ? game.left[side] / 1000 : -1,
  }));
  const number = game.game + 1;
  return {
    black: E[game.black].name, white: E[game.white].name, handicap: first === WHITE && pieceCount(sfen) < 40, nodes: positions,
    headers: [["棋戦", D.event || ""], ["開始日時", game.since ? dateText(game.since) : ""]],
    match: { players, ended: () => `${t("gameNumber", number)} · ${endedText(game)}` },
    // A game in progress is shown at its end again when the page reloads itself.
    address: (ply) => `#game=${number}${game.winner === undefined && ply === moves.length ? "" : `/${ply}`}`,
    leave: () => { location.hash = ""; },
  };
}

const shownGames = () => [...D.playing, ...D.games].filter(({ moves }) => moves !== undefined).sort((a, b) => a.game - b.game);

// Shows the game that the address names, "#game=12" or "#game=12/34" with a ply, or the tournament.
function showPlace() {
  const [, number = 0, ply = Infinity] = /^#game=(\d+)(?:\/(\d+))?$/.exec(location.hash) || [];
  const games = shownGames();
  const at = games.findIndex(({ game }) => game === Number(number) - 1);
  scrollTo(0, 0);
  $("back").hidden = $("previous").hidden = $("next").hidden = at < 0;
  if (at < 0) {
    startTournament();
    return;
  }
  for (const [id, game] of [["previous", games[at - 1]], ["next", games[at + 1]]]) {
    $(id).disabled = !game;
    $(id).dataset.number = game ? game.game + 1 : "";
  }
  startGame(viewOf(games[at]), Number(ply));
}

// ---- Games in progress --------------------------------------------------------------------------

function playingHtml(game) {
  const { sfen, moves, opening } = wholeGame(game);
  const pos = moves.reduce(play, parseSfen(sfen));
  const lastScore = (side) => {
    const note = game.notes.findLast(([told], i) => told !== null && (pos.side + moves.length + opening + i) % 2 === side);
    return note ? scoreText(scoreOf(note[0])) : "–";
  };
  const picture = boardSvg(pos, {
    ...look, isTall: true, isFlipped: false, hasCoordinates: false, last: moves[moves.length - 1],
    names: [E[game.black].name, E[game.white].name],
  });
  const { width, height } = boardLayout(true);
  const line = (side) => `<p><span>${MARKS[side]} ${lastScore(side)}</span><span class="dim">` +
    `${game.left[side] < 0 ? "" : `${t("clock")} ${timeText(game.left[side] / 1000)}`}</span></p>`;
  return `<a href="#game=${game.game + 1}"><p><b>${t("gameNumber", game.game + 1)}</b><span class="dim">${t("move", moves.length)}</span></p>` +
    `<svg class="board" viewBox="0 0 ${width} ${height}" role="img" aria-label="${nameOf(game.black)} – ${nameOf(game.white)}">${picture}</svg>` +
    `${line(BLACK)}${line(WHITE)}</a>`;
}

function renderPlaying() {
  $("playing").innerHTML = D.playing.length === 0 ? ""
    : `<h2>${t("playing")}</h2><div class="cards">${D.playing.map(playingHtml).join("")}</div>`;
}

// ---- The page reloads itself while games are played ---------------------------------------------

const EVERY = 10; // seconds
const STALE = 300;
let reloading = 0;
const age = () => Math.max(0, Date.now() / 1000 - D.now);
const isPaused = () => kept("sessionStorage", "komadori pause") === "yes";

// A page that has not changed for long is reloaded less often, and not while somebody is typing.
function refresh() {
  clearTimeout(reloading);
  if (D.state === "running" && !isPaused()) {
    reloading = setTimeout(() => (document.activeElement && document.activeElement.id === "filter" ? refresh() : location.reload()),
      1000 * Math.max(EVERY, Math.min(60, age() / 10)));
  }
}

// ---- The whole page -----------------------------------------------------------------------------

function renderMatch() {
  renderWords();
  for (const renderPart of [renderMatchHead, renderFacts, renderResult, renderTable, renderPlaying, renderCurves, renderSpeed, renderEnds]) {
    renderPart();
  }
  renderList();
}

function startTournament() {
  G = null;
  document.body.className = `match${E.length > 4 ? " many" : ""}`;
  $("main").innerHTML = MATCH_HTML;
  watchList();
  renderMatch();
}

function startMatchPage() {
  $("back").href = "#";
  addEventListener("hashchange", showPlace);
  document.addEventListener("click", ({ target }) => {
    const { pair, end, number } = target.dataset;
    if (pair) {
      const both = pair.split(",").map(Number);
      showOnly(({ black, white }) => both.includes(black) && both.includes(white));
    } else if (end) {
      showOnly((game) => game.end === end);
    } else if (number) {
      location.hash = `#game=${number}`;
    }
  });
  $("pause").addEventListener("click", () => {
    keep("sessionStorage", "komadori pause", isPaused() ? "" : "yes");
    renderMatchHead();
    refresh();
  });
  showPlace();
  refresh();
}

// ---- All pages ----------------------------------------------------------------------------------

loadLook();
$("lang").addEventListener("click", () => {
  look.lang = look.lang === "ja" ? "en" : "ja";
  saveLook();
  (G ? renderGame : renderMatch)();
});
addEventListener("resize", () => (G ? resizeGame() : renderCurves()));
document.addEventListener("keydown", onKey);
document.addEventListener("click", onClick);
// page.c adds the call of startGamePage() or startMatchPage().
