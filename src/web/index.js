// index.js: the index of a folder of analysed games, with a small graph of each.
"use strict";

const accuracy = (side) => ({ players }) => (players[side].moves ? players[side].accuracy : -1);
const accuracyText = (value) => (value < 0 ? "–" : `${value.toFixed(1)} %`);
const faultsOf = ({ players }) => players.map(({ mistakes, blunders }) => mistakes + blunders);
const resultOf = (game) => t(game.handicap ? "handicapResults" : "results")[game.result];

// Both names link to the game; the winner's is bold.
const playerLink = (game, side) => `<a href="${encodeURIComponent(game.page)}"${game.result === side ? ` class="won"` : ""}>` +
  `${MARKS[side === "black" ? BLACK : WHITE]} ${escapeText(game[side] || t(side))}</a>`;

// The sum of all changes of the winning chances, by which the column of graphs is sorted.
const swing = ({ wins }) => wins.reduce((sum, win, i) => sum + (i > 0 && win !== null && wins[i - 1] !== null
  ? Math.abs(win - wins[i - 1]) : 0), 0);

// Black's winning chances as a small graph.
function sparkline({ wins, page }) {
  const [width, height] = [150, 32];
  const known = wins.map((win, i) => [i, win]).filter(([, win]) => win !== null);
  const plot = { x: (i) => (i / Math.max(wins.length - 1, 1) * width).toFixed(1), y: (win) => (height * (100 - win) / 100).toFixed(1) };
  const area = (side, limit) => areaSvg(plot, known.map(([i, win]) => [i, limit(win, 50), 50]), `data-side="${side}"`);
  return known.length === 0 ? "" : `<a class="chart" href="${encodeURIComponent(page)}" tabindex="-1" aria-hidden="true">` +
    `<svg width="${width}" height="${height}">${area(BLACK, Math.max)}${area(WHITE, Math.min)}` +
    `<path class="tick" d="M0,${height / 2}h${width}"/>${curveSvg(plot, known, "")}</svg></a>`;
}

const INDEX = {
  filter: "filterIndex", key: "", isUp: true, most: 1000, isWanted: () => true,
  text: (game) => [game.black, game.white, game.event, game.date, game.handicap || "", handicapText(game.handicap || ""), game.page].join(" "),
  columns: {
    date: { value: ({ date }) => date },
    black: { value: ({ black }) => black, html: (game) => playerLink(game, "black"), isSide: true },
    white: { value: ({ white }) => white, html: (game) => playerLink(game, "white"), isSide: true },
    event: { value: ({ event }) => event },
    handicap: { value: ({ handicap }) => (handicap ? handicapText(handicap) : t("even")) },
    result: {
      value: resultOf,
      html: (game) => escapeText([resultOf(game), look.lang === "ja" ? game.ending : ""].filter(Boolean).join(" ")),
    },
    length: { value: ({ length }) => length, isNumber: true },
    blackAccuracy: { value: accuracy(BLACK), html: (game) => accuracyText(accuracy(BLACK)(game)), isNumber: true },
    whiteAccuracy: { value: accuracy(WHITE), html: (game) => accuracyText(accuracy(WHITE)(game)), isNumber: true },
    blunders: {
      value: (game) => faultsOf(game)[BLACK] + faultsOf(game)[WHITE],
      html: (game) => faultsOf(game).map((count, side) => `${MARKS[side]}${game.players[side].moves ? count : "–"}`).join(" "),
      isNumber: true,
    },
    course: { value: swing, html: sparkline },
  },
};

function renderIndex() {
  renderWords();
  document.title = $("title").textContent = t("indexTitle");
  renderList(INDEX);
}

function startIndexPage() {
  document.body.className = "index";
  $("main").innerHTML = `<section>${LIST_HTML}</section>`;
  INDEX.rows = DATA;
  watchList(INDEX);
  renderIndex();
}
