/** Where in a zone something is. */
export interface Owner {
  /** As the zone writes it: `@` for the zone itself. */
  readonly shown: string;
  /** The whole name in lower case, without a period at its end. */
  readonly whole: string;
}

/**
 * What a name within a zone stands for. One that ends with the zone's own name is whole, and so is one that ends with a period; all others are
 * within the zone. Undefined for what lies outside the zone, and for what is no name.
 */
export function ownerOf(name: string, zone: string): Owner | undefined {
  const whole = name.endsWith(".") ? name.slice(0, -1) : isWithin(name, zone) ? name : joined(name, zone);
  if (!isWithin(whole, zone) || !isName(whole)) return undefined;
  const shown = whole.slice(0, -zone.length - 1);
  return { shown: shown === "" ? "@" : shown, whole: whole.toLowerCase() };
}

/**
 * The host that a record points at, as a zone writes it: a single label is within the zone, and all else is whole. Undefined for what is no name.
 */
export function hostOf(host: string, zone: string): Owner | undefined {
  const isWhole = host.includes(".");
  const whole = isWhole ? host.replace(/\.$/, "") : joined(host, zone);
  if (!isName(whole)) return undefined;
  return { shown: isWhole ? `${whole}.` : host, whole: whole.toLowerCase() };
}

/** Labels of 1 to 63 bytes, 253 characters in all: what the 255 bytes of a name on the wire hold. */
export function isName(name: string): boolean {
  return name.length <= 253 && name.split(".").every((label) => label !== "" && label.length <= 63);
}

/** Whether a name is a zone's own, or lies below it. */
export function isWithin(name: string, zone: string): boolean {
  const lower = name.toLowerCase();
  const own = zone.toLowerCase();
  return lower === own || lower.endsWith(`.${own}`);
}

/** Text as a zone quotes it; bytes that are no printable ASCII are written by their number. */
export function quoted(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    if (byte < 0x20 || byte > 0x7e) text += `\\${String(byte).padStart(3, "0")}`;
    else text += character === '"' || character === "\\" ? `\\${character}` : character;
  }
  return `"${text}"`;
}

/** An email address as an SOA record has it: what stands before the `@` is one label. Undefined where that is no name. */
export function mailboxOf(email: string): string | undefined {
  const at = email.lastIndexOf("@");
  const local = email.slice(0, at);
  const first = local.startsWith('"') ? local.slice(1, -1).replace(/\\(.)/g, "$1") : local;
  const labels = [first, ...email.slice(at + 1).split(".")];
  const isFit = labels.every((label) => label !== "" && label.length <= 63);
  if (at < 1 || !isFit || labels.join(".").length > 253) return undefined;
  return `${labels.map(escaped).join(".")}.`;
}

/** A label with what would mean something else in a zone escaped. */
function escaped(label: string): string {
  return label.replace(/[^A-Za-z0-9!#%&'*+/=?^_`{|}~-]/g, (character) =>
    character === "." ? "\\." : `\\${String(character.charCodeAt(0)).padStart(3, "0")}`,
  );
}

function joined(name: string, zone: string): string {
  return name === "" ? zone : `${name}.${zone}`;
}
