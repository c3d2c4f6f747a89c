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

const readers = {
  ".kif": tsshogi.importKIF,
  ".kifu": tsshogi.importKIF,
  ".ki2": tsshogi.importKI2,
  ".ki2u": tsshogi.importKI2,
  ".csa": tsshogi.importCSA,
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

const read = {
  start: (record) => record.initialPosition.sfen,
  moves: (record) => record.moves.map(nameOf).join(" ").trim(),
  ending: (record) => record.moves.at(-1).move.type ?? "",
  tree: (record) => nodesOf(record).filter(nameOf).map((node) => node.ply + nameOf(node)).join(" "),
  times: (record) => record.moves.filter(nameOf).map((node) => node.elapsedMs),
  comments: (record) => nodesOf(record).map((node) => node.comment.trim()).filter(Boolean),
  // Those of the main line's moves, not of its ending.
  remarks: (record) => record.moves.filter(nameOf).map((node) => node.comment.trim()),
  // What `komadori analyze` writes: moves with an evaluation, and the moves of variations.
  judged: (record) => record.moves.filter((node) => node.comment.includes("#評価値=")).length,
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
