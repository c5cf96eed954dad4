/**
 * Whether some router, more lenient than ours, could take a path for one below a base: another case, encoded letters,
 * `//v4`, `/./v4`, `/v4;x`. Passing it on as somebody else's would skip the judgement.
 */
export function couldBeTakenFor(path: string, base: string): boolean {
  if (base === "") return true;
  const lower = base.toLowerCase();
  const plain = odd.test(path) ? simplified(path) : path.toLowerCase();
  return plain === lower || plain.startsWith(`${lower}/`);
}

const odd = /[%;\\#]|\/\/|\/\./;

// Each turn undoes one encoding; nobody decodes more often.
const mostTurns = 3;

function simplified(path: string): string {
  let plain = path;
  for (let turn = 0; turn < mostTurns && plain.includes("%"); turn += 1) plain = plain.replaceAll(escape, decodeOne);
  const segments: string[] = [];
  for (const each of plain.toLowerCase().replaceAll("\\", "/").split("/")) {
    const segment = each.replace(/[;#?].*/s, "");
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return `/${segments.join("/")}`;
}

const escape = /%[0-7][0-9a-f]/gi;

function decodeOne(text: string): string {
  return String.fromCharCode(Number.parseInt(text.slice(1), 16));
}
