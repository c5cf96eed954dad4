import { createPublicKey, type JsonWebKey } from "node:crypto";

/** Whether a text holds exactly one complete public key of the type that is its first word. */
export function isPublicKey(text: string): boolean {
  const [format = "", encoded = ""] = text.trim().split(" ");
  const blob = Buffer.from(encoded, "base64");
  // The decoder skips characters outside base64. Programs that log users in do not.
  if (blob.toString("base64") !== encoded) return false;
  const [name, ...fields] = fieldsOf(blob) ?? [];
  const type = keyTypes.get(format);
  if (type === undefined || name?.toString() !== type.name || fields.length !== type.fields) return false;
  try {
    const key = type.read(...fields);
    if (key !== undefined) createPublicKey({ key, format: "jwk" });
    return true;
  } catch {
    return false;
  }
}

/** A type of key: its name within the key, and the fields behind that (RFC 4253, RFC 5656, RFC 8709). */
interface KeyType {
  readonly name: string;
  readonly fields: number;
  /** The key for `node:crypto`, which checks it. Throws if a field is invalid; undefined if the fields are all there is to check. */
  readonly read: (...fields: readonly Buffer[]) => JsonWebKey | undefined;
}

const rsa: KeyType = {
  name: "ssh-rsa",
  fields: 2,
  read: (e, n) => ({ kty: "RSA", e: base64(integerOf(e)), n: base64(integerOf(n)) }),
};

/** There are builds of OpenSSL without DSA. */
const dsa: KeyType = {
  name: "ssh-dss",
  fields: 4,
  read: (...numbers) => {
    for (const each of numbers) integerOf(each);
    return undefined;
  },
};

const ed25519: KeyType = {
  name: "ssh-ed25519",
  fields: 1,
  read: (x) => ({ kty: "OKP", crv: "Ed25519", x: base64(x) }),
};

/** `bytes` of a coordinate. */
function ecdsa(curve: string, { crv, bytes }: { readonly crv: string; readonly bytes: number }): KeyType {
  return {
    name: `ecdsa-sha2-${curve}`,
    fields: 2,
    read: (curveName, point) => {
      // 4 stands for a point without compression, the only form that OpenSSH reads.
      if (curveName?.toString() !== curve || point?.length !== 1 + 2 * bytes || point[0] !== 4)
        throw new RangeError(`not a point of ${curve}`);
      return { kty: "EC", crv, x: base64(point.subarray(1, 1 + bytes)), y: base64(point.subarray(1 + bytes)) };
    },
  };
}

const nistp256 = ecdsa("nistp256", { crv: "P-256", bytes: 32 });

/** A key in a device, which adds the name of an application. */
const securityKey: KeyType = { ...nistp256, name: "sk-ecdsa-sha2-nistp256@openssh.com", fields: 3 };

/** The types by the first word of a key. */
const keyTypes: ReadonlyMap<string, KeyType> = new Map([
  ["ssh-rsa", rsa],
  ["ssh-dss", dsa],
  ["ssh-ed25519", ed25519],
  ["ecdsa-sha2-nistp256", nistp256],
  ["ecdsa-sha2-nistp384", ecdsa("nistp384", { crv: "P-384", bytes: 48 })],
  ["ecdsa-sha2-nistp521", ecdsa("nistp521", { crv: "P-521", bytes: 66 })],
  ["sk-ecdsa-sha2-nistp256@openssh.com", securityKey],
  // The short name of the type is valid, too.
  ["sk-ecdsa-sha2-nistp256", securityKey],
]);

/** The fields of a key, each with its length before it. Undefined if one is cut short. */
function fieldsOf(blob: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  for (let at = 0; at < blob.length;) {
    if (at + lengthBytes > blob.length) return undefined;
    const end = at + lengthBytes + blob.readUInt32BE(at);
    if (end > blob.length) return undefined;
    fields.push(blob.subarray(at + lengthBytes, end));
    at = end;
  }
  return fields;
}

/**
 * A positive integer in its shortest form: a zero byte before it only if its first bit is set, as RFC 4251 says.
 *
 * @throws RangeError for other bytes
 */
function integerOf(field: Buffer | undefined): Buffer {
  const [first = 0, second = 0] = field ?? [];
  if (field === undefined || field.length === 0 || first >= 0x80 || (first === 0 && second < 0x80))
    throw new RangeError("not a positive integer in its shortest form");
  return first === 0 ? field.subarray(1) : field;
}

function base64(field: Buffer | undefined): string {
  return field?.toString("base64url") ?? "";
}

const lengthBytes = 4;
