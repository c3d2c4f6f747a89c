// Plays analysed games with the script of Komadori's pages, src/web/board.js, and compares its positions
// with those that the analysis wrote, and its names of moves with those of a KIF. Also checks how the page
// of a tournament words scores.
// Prints the differences; the exit status is 1 if there are any.
// usage: node page_moves.mjs FOLDER (with the files *.json of komadori analyze, and their *.kifu beside them)
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";

const [folder] = process.argv.slice(2);
const { parseSfen, play, moveText } = runInNewContext(`const [BLACK, WHITE] = [0, 1];
${readFileSync("src/web/board.js", "utf8")}
;({ parseSfen, play, moveText });`);

// The moves of the main line of a KIF, without blanks: "７六歩(77)", "同角成(88)", "５五角打".
const namesOf = (kif) => [...kif.split(/^変化/m)[0].matchAll(/^ *\d+ ([１-９同].*?(?:\(\d\d\)|打))/gm)].map(([, name]) => name.replace("　", ""));

let faults = 0;
let moves = 0;
function expect(what, got, want) {
  if (got !== want) {
    console.log(`${what}: ${got}, not ${want}`);
    faults++;
  }
}
// A position as a text that does not depend on the order in which its pieces were put.
const textOf = ({ board, hands, side }) => JSON.stringify([Object.entries(board).sort(),
  hands.map((hand) => Object.entries(hand).filter(([, count]) => count > 0).sort()), side]);

for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
  const { nodes } = JSON.parse(readFileSync(join(folder, file), "utf8"));
  const names = namesOf(readFileSync(join(folder, file.replace(/json$/, "kifu")), "utf8"));
  const positions = [];
  let isMain = true;
  nodes.forEach(({ parent, usi, sfen }, index) => {
    const before = positions[parent];
    isMain &&= index === 0 || parent === index - 1;
    if (usi && isMain) {
      expect(`${file}, move ${index}`, moveText(before, usi, "ja").slice(1), names[index - 1]);
      moves++;
    }
    positions.push(before && usi ? play(before, usi) : before || parseSfen(sfen));
    expect(`${file}, position ${index}`, textOf(positions[index]), textOf(parseSfen(sfen)));
  });
}
// Scores of a tournament, as docs/match.md describes them.
const functionOf = (file, name) => readFileSync(`src/web/${file}`, "utf8").match(new RegExp(`^function ${name}\\([^]*?^}`, "m"))[0];
const { scoreOf, scoreText } = runInNewContext(`${readFileSync("src/web/words.js", "utf8")}
const MATE = 100000, look = { lang: "en" };
const sign = (score) => (score > 0 ? "+" : "") + score;
${functionOf("match.js", "scoreOf")}
${functionOf("game.js", "scoreText")}
;({ scoreOf, scoreText });`);
for (const [told, words] of [[30, "+30"], [2 * 100000 - 5, "+mate in 5"], [-2 * 100000, "−mate"], [2 * 100000, "+mate"]]) {
  expect(`the score ${told}`, scoreText(scoreOf(told)), words);
}
console.log(`${moves} moves of main lines, ${faults} faults`);
process.exitCode = faults > 0 || moves === 0 ? 1 : 0;
