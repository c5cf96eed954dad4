import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/**
 * The certificate of a cluster's own authority: X.509 v3, self-signed, in PEM, valid for ten years from a time in milliseconds since 1970. The key
 * is not stored, since nothing else is signed with it.
 */
export function newAuthority(from: number): string {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(commonName, der(0x0c, Buffer.from("kubernetes")))));
  const body = sequence(
    der(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(8)])),
    sequence(ecdsaWithSha256),
    name,
    sequence(time(from), time(tenYearsAfter(from))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...authority)),
  );
  const signature = der(0x03, Buffer.of(0), sign("sha256", body, privateKey));
  return pem(sequence(body, sequence(ecdsaWithSha256), signature));
}

/** A value in DER: its tag, its length, and its content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag), lengthOf(content.length), content]);
}

function lengthOf(bytes: number): Buffer {
  if (bytes < 0x80) return Buffer.of(bytes);
  return bytes < 0x100 ? Buffer.of(0x81, bytes) : Buffer.of(0x82, bytes >> 8, bytes & 0xff);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function set(...parts: readonly Buffer[]): Buffer {
  return der(0x31, ...parts);
}

function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes);
}

function identifier(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, "hex"));
}

/** Two digits of the year until 2049, four from 2050 on, as RFC 5280 says. */
function time(at: number): Buffer {
  const text = `${new Date(at).toISOString().slice(0, 19).replace(/[-:T]/g, "")}Z`;
  return Number(text.slice(0, 4)) < 2050 ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text));
}

function tenYearsAfter(at: number): number {
  const date = new Date(at);
  return date.setUTCFullYear(date.getUTCFullYear() + 10);
}

function pem(content: Buffer): string {
  const lines = content.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

const isTrue = der(0x01, Buffer.of(0xff));

/** 2.5.4.3 */
const commonName = identifier("550403");

/** 1.2.840.10045.4.3.2 */
const ecdsaWithSha256 = identifier("2a8648ce3d040302");

/** 2.5.29.19 and 2.5.29.15: it may sign certificates, and lists of revoked ones. */
const authority = [
  sequence(identifier("551d13"), isTrue, der(0x04, sequence(isTrue))),
  sequence(identifier("551d0f"), isTrue, der(0x04, der(0x03, Buffer.of(1, 0x06)))),
];
