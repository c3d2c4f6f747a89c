// kit.js: what both pages share: the reader's settings, texts, messages and charts.
"use strict";

const $ = (id) => document.getElementById(id);
const DATA = JSON.parse($("data").textContent);
const [BLACK, WHITE] = [0, 1];

// ---- The reader's settings ----------------------------------------------------------------------

const look = {
  lang: (navigator.language || "ja").startsWith("ja") ? "ja" : "en",
  hasArrows: true, isFlipped: false, isTall: false,
};
const KEPT = ["lang", "hasArrows"];

// Some browsers forbid storage for pages that are opened as files; then nothing is kept. `storage` is
// localStorage or sessionStorage.
function keep(storage, key, value) {
  try {
    window[storage].setItem(key, value);
  } catch {
    // Nothing is kept.
  }
}
function kept(storage, key) {
  try {
    return window[storage].getItem(key) || "";
  } catch {
    return "";
  }
}
const saveLook = () => keep("localStorage", "komadori", JSON.stringify(look, KEPT));
const loadLook = () => Object.assign(look, JSON.parse(kept("localStorage", "komadori") || "{}"));

// ---- Texts --------------------------------------------------------------------------------------

const escapeText = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const sign = (number) => (number > 0 ? "+" : "") + number;
const handicapText = (name) => t("handicaps")[name] || name;

// A number with its sign; zero has none.
function signed(value, decimals = 1) {
  const text = Math.abs(value).toFixed(decimals);
  return (Number(text) === 0 ? "" : value > 0 ? "+" : "−") + text;
}

function timeText(seconds) {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

// Writes the words of the reader's language to the elements that name them.
function renderWords() {
  document.documentElement.lang = look.lang;
  $("lang").lang = look.lang === "ja" ? "en" : "ja";
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = t(element.dataset.text);
  }
  for (const element of document.querySelectorAll("[data-title]")) {
    element.title = t(element.dataset.title);
    element.setAttribute("aria-label", element.title);
  }
}

// ---- Messages and copying -----------------------------------------------------------------------

function toast(text) {
  $("toast").textContent = text;
  $("toast").classList.add("seen");
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => $("toast").classList.remove("seen"), 1600);
}

// A page opened as a file may not be allowed to use navigator.clipboard.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("copied"));
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    toast(t(document.execCommand("copy") ? "copied" : "notCopied"));
    area.remove();
  }
}

// ---- Charts -------------------------------------------------------------------------------------

// Prepares an <svg> element for a chart. `xs` and `ys` are [lowest, highest]. Returns the functions x
// and y, which convert values to coordinates, and the edges of the plot.
function makePlot(svg, { xs, ys, height, left = 46, right = 10, top = 6, bottom = 18 }) {
  const width = Math.max(280, svg.clientWidth || 800);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("height", height);
  const edges = { left, right: width - right, top, bottom: height - bottom };
  const part = (value, [low, high]) => Math.max(0, Math.min(1, (value - low) / (high - low || 1)));
  return {
    ...edges, width, height,
    x: (value) => Number((left + (edges.right - left) * part(value, xs)).toFixed(1)),
    y: (value) => Number((edges.bottom - (edges.bottom - top) * part(value, ys)).toFixed(1)),
    // The value of x at the pointer.
    at: ({ clientX }) => {
      const box = svg.getBoundingClientRect();
      const inner = ((clientX - box.left) * width / box.width - left) / (edges.right - left);
      return xs[0] + (xs[1] - xs[0]) * Math.max(0, Math.min(1, inner));
    },
  };
}

// The frame of a plot with marks at both axes: [value, text, class] of each.
function axesSvg({ x, y, left, right, top, bottom }, xMarks, yMarks) {
  return `<rect class="frame" x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"/>` +
    yMarks.map(([value, text, name = "tick"]) => `<path class="${name}" d="M${left},${y(value)}H${right}"/>` +
      `<text x="${left - 5}" y="${y(value) + 4}" text-anchor="end">${text}</text>`).join("") +
    xMarks.map(([value, text]) => `<text x="${x(value)}" y="${bottom + 14}" text-anchor="middle">${text}</text>`).join("");
}

// A curve through points [x, y] of a plot; y null is a gap, a point between gaps a dot.
function curveSvg({ x, y }, points, attributes) {
  const isGap = (i) => !points[i] || points[i][1] === null || points[i][1] === undefined;
  const d = points.map(([px, py], i) => (isGap(i) ? "" : (isGap(i - 1) ? "M" : "L") + `${x(px)},${y(py)}` +
    (isGap(i - 1) && isGap(i + 1) ? "h1" : ""))).join("");
  return `<path class="curve" ${attributes} d="${d}"/>`;
}

// The area between two curves [[x, low, high], ...].
function areaSvg({ x, y }, points, attributes) {
  const side = (order, which) => order.map((point) => `${x(point[0])},${y(point[which])}`).join("L");
  return points.length < 2 ? "" : `<path class="area" ${attributes} d="M${side(points, 1)}L${side([...points].reverse(), 2)}Z"/>`;
}

// About five round numbers from low to high.
function ticks(low, high, most = 5) {
  const raw = (high - low) / most || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw * 0.999);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-6) - first + 1 }, (_, i) => (first + i) * step);
}

// Shows a text beside the pointer's place in a chart.
function showTip(tip, plot, x, text) {
  const isRight = x > plot.width / 2;
  tip.textContent = text;
  tip.hidden = false;
  tip.style.left = isRight ? "" : `${x + 16}px`;
  tip.style.right = isRight ? `${plot.width - x + 16}px` : "";
}
