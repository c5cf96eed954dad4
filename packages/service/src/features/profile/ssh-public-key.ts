import sshpk from "sshpk";

/** Whether a text holds exactly one complete public key of the type that is its first word. */
export function isPublicKey(text: string): boolean {
  const [format = "", encoded = ""] = text.trim().split(" ");
  const blob = Buffer.from(encoded, "base64");
  // The decoder skips characters outside base64. Programs that log users in do not.
  if (blob.toString("base64") !== encoded) return false;
  const plain = format.startsWith(securityKey) ? withoutApplication(blob) : blob;
  return plain !== undefined && isOf(format.startsWith(securityKey) ? "ecdsa-sha2-nistp256" : format, plain);
}

function isOf(format: string, blob: Buffer): boolean {
  const [name] = fields(blob) ?? [];
  if (name?.toString() !== format) return false;
  try {
    const key = sshpk.parseKey(blob, "rfc4253");
    // The same form holds private keys, and the parser pads short keys: a valid key encodes to the same bytes.
    return !(key instanceof sshpk.PrivateKey) && key.toBuffer("rfc4253", {}).equals(blob);
  } catch {
    return false;
  }
}

/** The key within a security key of OpenSSH, which adds the name of an application. The parser does not support those. */
function withoutApplication(blob: Buffer): Buffer | undefined {
  const [name, curve, point, ...rest] = fields(blob) ?? [];
  if (name?.toString() !== `${securityKey}@openssh.com` || curve === undefined || point === undefined) return undefined;
  return rest.length === 1 ? Buffer.concat([Buffer.from("ecdsa-sha2-nistp256"), curve, point].map(field)) : undefined;
}

/** The fields of a key, each with its length before it. Undefined if one is cut short. */
function fields(blob: Buffer): Buffer[] | undefined {
  const found: Buffer[] = [];
  for (let at = 0; at < blob.length;) {
    if (at + lengthBytes > blob.length) return undefined;
    const end = at + lengthBytes + blob.readUInt32BE(at);
    if (end > blob.length) return undefined;
    found.push(blob.subarray(at + lengthBytes, end));
    at = end;
  }
  return found;
}

function field(value: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(value.length);
  return Buffer.concat([length, value]);
}

const lengthBytes = 4;
const securityKey = "sk-ecdsa-sha2-nistp256";
