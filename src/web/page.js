// page.js: functions that all pages share: the reader's settings, short messages, copying to the
// clipboard, and swipes. A page that calls copy() must define t(), which returns its words in the
// reader's language.
"use strict";

const $ = (id) => document.getElementById(id);

// ---- The reader's settings, which all pages share -----------------------------------------------

const look = {
  lang: (navigator.language || "ja").startsWith("ja") ? "ja" : "en",
  kanji: 1, hasCoordinates: true, hasArrows: true, isFlipped: false, isTall: false,
};
const KEPT = ["lang", "kanji", "hasCoordinates", "hasArrows"];

// Some browsers forbid storage for pages that are opened as files.
function loadLook() {
  try {
    Object.assign(look, JSON.parse(localStorage.getItem("komadori") || "{}"));
  } catch {
    // Keep the defaults.
  }
}
function saveLook() {
  try {
    localStorage.setItem("komadori", JSON.stringify(look, KEPT));
  } catch {
    // The next page starts with the defaults.
  }
}

// ---- Texts ---------------------------------------------------------------------------------------

const sign = (number) => (number > 0 ? "+" : "") + number;

function timeText(seconds) {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

// The name of a handicap as in the record, or in English.
const HANDICAPS = {
  香落ち: "Lance handicap", 右香落ち: "Right lance handicap", 角落ち: "Bishop handicap",
  飛車落ち: "Rook handicap", 飛香落ち: "Rook-lance handicap", 二枚落ち: "2-piece handicap",
  三枚落ち: "3-piece handicap", 四枚落ち: "4-piece handicap", 五枚落ち: "5-piece handicap",
  左五枚落ち: "Left 5-piece handicap", 六枚落ち: "6-piece handicap",
  左七枚落ち: "Left 7-piece handicap", 右七枚落ち: "Right 7-piece handicap",
  七枚落ち: "7-piece handicap", 八枚落ち: "8-piece handicap", 十枚落ち: "10-piece handicap",
  両香落ち: "Two-lance handicap",
};
const handicapText = (name) => (look.lang === "en" ? HANDICAPS[name] || name : name);

// ---- Messages and copying ------------------------------------------------------------------------

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
    toast(t().copied);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    toast(document.execCommand("copy") ? t().copied : t().notCopied);
    area.remove();
  }
}

// ---- Pointers ------------------------------------------------------------------------------------

// Calls step(isForward) when the reader swipes left or right over the element. Other swipes scroll
// the page.
function watchSwipes(element, step) {
  let start = null;
  element.addEventListener("touchstart", (event) => {
    start = event.touches.length === 1 ? event.touches[0] : null;
  }, { passive: true });
  element.addEventListener("touchend", (event) => {
    if (!start) {
      return;
    }
    const end = event.changedTouches[0];
    const x = end.clientX - start.clientX;
    const y = end.clientY - start.clientY;
    if (Math.abs(x) > 40 && Math.abs(x) > 1.5 * Math.abs(y)) {
      step(x < 0);
    }
    start = null;
  });
}
