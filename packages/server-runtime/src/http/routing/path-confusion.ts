/**
 * Whether a more lenient router could match a path with a base path: another case, encoded letters, `//v4`, `/./v4`, `/v4;x`.
 * Passing such a request on would skip validation.
 */
export function couldMatchBase(path: string, base: string): boolean {
  if (base === "") return true;
  const lower = leniently(base);
  const plain = leniently(path);
  return plain === lower || plain.startsWith(`${lower}/`);
}

function leniently(path: string): string {
  return unusualCharacters.test(path) ? simplified(path) : path.toLowerCase();
}

const unusualCharacters = /[%;\\#]|\/\/|\/\./;

// Each iteration decodes once. No router decodes more often.
const maxDecodings = 3;

function simplified(path: string): string {
  let plain = path;
  for (let round = 0; round < maxDecodings && plain.includes("%"); round += 1)
    plain = plain.replaceAll(escape, decodeOne);
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
