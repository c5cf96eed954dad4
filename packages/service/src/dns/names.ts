/** A name within a zone. */
export interface Owner {
  /** As the zone writes it: `@` for the zone itself. */
  readonly display: string;
  /** The complete name in lower case, without a period at its end. */
  readonly absolute: string;
}

/**
 * Resolves a name of a record. A name that ends with the zone's own name or with a period is complete. All others are relative to the zone.
 * Undefined for a name outside the zone, and for an invalid name.
 */
export function ownerOf(name: string, zone: string): Owner | undefined {
  const whole = name.endsWith(".") ? name.slice(0, -1) : isWithin(name, zone) ? name : joined(name, zone);
  if (!isWithin(whole, zone) || !isName(whole)) return undefined;
  const relative = whole.slice(0, -zone.length - 1);
  return { display: relative === "" ? "@" : relative, absolute: whole.toLowerCase() };
}

/** Resolves the target of a record. A single label is relative to the zone, and all other targets are complete. Undefined for an invalid name. */
export function hostOf(host: string, zone: string): Owner | undefined {
  const isWhole = host.includes(".");
  const whole = isWhole ? host.replace(/\.$/, "") : joined(host, zone);
  if (!isName(whole)) return undefined;
  return { display: isWhole ? `${whole}.` : host, absolute: whole.toLowerCase() };
}

/** Labels of 1 to 63 bytes, 253 characters in all: the 255 bytes of a name on the wire hold no more. */
export function isName(name: string): boolean {
  return name.length <= 253 && name.split(".").every((label) => label !== "" && label.length <= 63);
}

/** Whether a name is a zone's own, or is below it. */
export function isWithin(name: string, zone: string): boolean {
  const lower = name.toLowerCase();
  const lowerZone = zone.toLowerCase();
  return lower === lowerZone || lower.endsWith(`.${lowerZone}`);
}

/** Text in the quotes of a zone. Bytes outside printable ASCII are escaped by their number. */
export function quote(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    if (byte < 0x20 || byte > 0x7e) text += `\\${String(byte).padStart(3, "0")}`;
    else text += character === '"' || character === "\\" ? `\\${character}` : character;
  }
  return `"${text}"`;
}

/** An email address in the format of an SOA record: the part before the `@` is one label. Undefined if that is not a valid name. */
export function mailboxOf(email: string): string | undefined {
  const at = email.lastIndexOf("@");
  const local = email.slice(0, at);
  const first = local.startsWith('"') ? local.slice(1, -1).replace(/\\(.)/g, "$1") : local;
  const labels = [first, ...email.slice(at + 1).split(".")];
  const isFit = labels.every((label) => label !== "" && label.length <= 63);
  if (at < 1 || !isFit || labels.join(".").length > 253) return undefined;
  return `${labels.map(escapeCharacters).join(".")}.`;
}

/** Escapes the special characters of a label. */
function escapeCharacters(label: string): string {
  return label.replace(/[^A-Za-z0-9!#%&'*+/=?^_`{|}~-]/g, (character) =>
    character === "." ? "\\." : `\\${String(character.charCodeAt(0)).padStart(3, "0")}`,
  );
}

function joined(name: string, zone: string): string {
  return name === "" ? zone : `${name}.${zone}`;
}
