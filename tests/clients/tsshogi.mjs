// Reads records by tsshogi, the library of ShogiHome, and prints a line of JSON for each: what
// run_tsshogi.sh compares. usage: node tsshogi.mjs FOLDER ASPECT,... FILE...
// FOLDER is where npm has put it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, join } from "node:path";

const [folder, aspects, ...files] = process.argv.slice(2);
const tsshogi = createRequire(join(folder, "x.js"))("tsshogi");

// KIF and KI2 are in Shift_JIS but where their names end in u.
function textOf(file) {
  const encoding = [".kif", ".ki2"].includes(extname(file)) ? "shift_jis" : "utf-8";
  return new TextDecoder(encoding, { fatal: true }).decode(readFileSync(file));
}

// The lines of comments in which ShogiHome and its relatives find a score, one item each.
const scorePatterns = [
  /^[#*]評価値=[+-]?[0-9]+/,
  /^[#*]詰み=(先手勝ち|後手勝ち)(:[0-9]+手)?$/,
  /^\*(解析|対局) .* 評価値 [+-]?[0-9]+/,
  /^\* -?[0-9]+( |$)/,
];

// Where the moves of such a line begin.
const linePatterns = [/^[#*]読み筋=/, /^\*(解析|対局) .* 読み筋 /, /^\* -?[0-9]+ /];

const readers = {
  ".kif": tsshogi.importKIF,
  ".kifu": tsshogi.importKIF,
  ".ki2": tsshogi.importKI2,
  ".ki2u": tsshogi.importKI2,
  ".csa": tsshogi.importCSA,
  ".csa3": tsshogi.importCSA,
  ".jkf": tsshogi.importJKFString,
  ".usi": (text) => tsshogi.Record.newByUSI(text.trim()),
  ".usen": (text) => tsshogi.Record.newByUSEN(text.trim()),
};

function nodesOf(record) {
  const nodes = [];
  record.forEach((node) => nodes.push(node));
  return nodes;
}

function nameOf(node) {
  return node.move.usi ?? "";
}

// How many moves the line says, and how many of them can be played from the position alone.
function movesOfLine(position, line) {
  const begin = linePatterns.map((pattern) => pattern.exec(line)).find(Boolean);
  if (!begin) return [0, 0];
  const words = line.substring(begin[0].length);
  const said = words.match(/[▲△]|[-+][0-9]{4}[A-Z]{2}/g) ?? [];
  if (!/^[-+]/.test(words)) return [said.length, tsshogi.parsePV(position, words).length];
  const board = position.clone();
  const isPlayed = (word) => {
    const move = tsshogi.parseCSAMove(board, word);
    return !(move instanceof Error) && board.doMove(move);
  };
  const stop = said.findIndex((word) => !isPlayed(word));
  return [said.length, stop < 0 ? said.length : stop];
}

// Of each position of the main line: whether it has a score and a line that can be played.
function understood(record) {
  return record.moves.filter((node) => node.ply === 0 || nameOf(node)).map((node) => {
    record.goto(node.ply);
    const lines = node.comment.split("\n");
    const hasScore = lines.some((line) => scorePatterns.some((pattern) => pattern.test(line)));
    const [said, played] = lines.map((line) => movesOfLine(record.position, line))
      .reduce((sum, [one, other]) => [sum[0] + one, sum[1] + other]);
    return hasScore && said > 0 && said === played;
  });
}

const read = {
  start: (record) => record.initialPosition.sfen,
  moves: (record) => record.moves.map(nameOf).join(" ").trim(),
  ending: (record) => record.moves.at(-1).move.type ?? "",
  tree: (record) => nodesOf(record).filter(nameOf).map((node) => node.ply + nameOf(node)).join(" "),
  times: (record) => record.moves.filter(nameOf).map((node) => node.elapsedMs),
  comments: (record) => nodesOf(record).map((node) => node.comment.trim()).filter(Boolean),
  // Those of the main line's moves, not of its ending.
  remarks: (record) => record.moves.filter(nameOf).map((node) => node.comment.trim()),
  // What `komadori analyze` writes: positions that lack a score or a line, and the moves of variations.
  strange: (record) => understood(record).flatMap((good, ply) => (good ? [] : [ply])),
  positions: (record) => understood(record).length,
  variations: (record) => nodesOf(record).filter((node) => node.branchIndex > 0).length > 0,
};

for (const file of files) {
  const record = readers[extname(file)](textOf(file));
  if (record instanceof Error) {
    console.log(JSON.stringify({ file, error: record.message }));
    process.exitCode = 1;
  } else {
    record.resetAllBranchSelection();
    console.log(JSON.stringify(aspects.split(",").map((aspect) => read[aspect](record))));
  }
}
