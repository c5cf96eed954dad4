import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { publicKeys } from "./ssh-keys.support.js";
import { isPublicKey } from "./ssh-public-key.js";

describe("a public key", () => {
  it.each(Object.entries(publicKeys))("of the type %s is valid", (_format, key) => {
    expect(isPublicKey(key)).toBe(true);
    expect(isPublicKey(`${key}\n`)).toBe(true);
    expect(isPublicKey(key.split(" ").slice(0, 2).join(" "))).toBe(true);
  });

  it.each(Object.entries(publicKeys))("of the type %s is invalid with missing or extra bytes", (_format, key) => {
    const [format = "", encoded = ""] = key.split(" ");
    const blob = Buffer.from(encoded, "base64");
    const cut = (end: number): string => `${format} ${blob.subarray(0, end).toString("base64")}`;
    for (const end of [0, 3, 4, 12, blob.length - 1]) expect([end, isPublicKey(cut(end))]).toEqual([end, false]);
    expect(isPublicKey(`${format} ${Buffer.concat([blob, Buffer.alloc(4)]).toString("base64")}`)).toBe(false);
  });

  it("has the type that stands before it", () => {
    const of = (format: string, key: string): boolean => isPublicKey(`${format} ${key.split(" ")[1]}`);
    expect(of("ssh-rsa", publicKeys.ed25519)).toBe(false);
    expect(of("ecdsa-sha2-nistp384", publicKeys.nistp256)).toBe(false);
    expect(of("ecdsa-sha2-nistp256", publicKeys.securityKey)).toBe(false);
    expect(of("sk-ecdsa-sha2-nistp256@openssh.com", publicKeys.nistp256)).toBe(false);
    // The short name of the type is valid, too.
    expect(of("sk-ecdsa-sha2-nistp256", publicKeys.securityKey)).toBe(true);
  });

  it("is complete base64", () => {
    const [format = "", encoded = ""] = publicKeys.rsa.split(" ");
    const [, padded = ""] = publicKeys.nistp256.split(" ");
    expect(isPublicKey(`${format} ${encoded}`)).toBe(true);
    for (const other of [`${encoded}x`, `${encoded}=`, `_${encoded}`, encoded.replace(/\//, "_")])
      expect([other, isPublicKey(`${format} ${other}`)]).toEqual([other, false]);
    expect(isPublicKey(`ecdsa-sha2-nistp256 ${padded.replace("=", "")}`)).toBe(false);
  });

  it("cannot be a private key in the same form", () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const { n, e, d, qi, p, q } = privateKey.export({ format: "jwk" });
    const integers = [n, e, d, qi, p, q].map((each = "") => integer(Buffer.from(each, "base64url")));
    const blob = Buffer.concat([Buffer.from("ssh-rsa"), ...integers].map(field));
    expect(isPublicKey(`ssh-rsa ${blob.toString("base64")}`)).toBe(false);
  });

  it("cannot be another text", () => {
    for (const text of ["", "ssh-rsa", "ssh-rsa ", "ssh-rsa not-a-key", "ssh-ed25519 AAAA"])
      expect([text, isPublicKey(text)]).toEqual([text, false]);
  });

  it.each(["nistp256", "nistp384", "nistp521", "securityKey"] as const)(
    "of the type %s is a point of its curve",
    (name) => {
      const [format = "", encoded = ""] = publicKeys[name].split(" ");
      const blob = Buffer.from(encoded, "base64");
      // The first bytes of the point's second coordinate.
      const middle = blob.indexOf(4, blob.lastIndexOf("nistp") + 12) + 40;
      blob.writeUInt8(blob.readUInt8(middle) ^ 1, middle);
      expect(isPublicKey(`${format} ${blob.toString("base64")}`)).toBe(false);
    },
  );

  it.each([
    ["a negative exponent", "81"],
    ["an exponent with a zero byte too many", "0003"],
    ["no exponent", ""],
  ])("of an RSA cannot have %s", (_what, hex) => {
    const [, , modulus = Buffer.alloc(0)] = fieldsOf(Buffer.from(publicKeys.rsa.split(" ")[1] ?? "", "base64"));
    const of = (exponent: string): string => {
      const blob = [Buffer.from("ssh-rsa"), Buffer.from(exponent, "hex"), modulus].map(field);
      return `ssh-rsa ${Buffer.concat(blob).toString("base64")}`;
    };
    expect([isPublicKey(of(hex)), isPublicKey(of("03"))]).toEqual([false, true]);
  });

  it("of an ed25519 with too few bytes is invalid", () => {
    const short = Buffer.concat([Buffer.from("\0\0\0\x0bssh-ed25519\0\0\0\x05hello", "latin1")]);
    expect(isPublicKey(`ssh-ed25519 ${short.toString("base64")}`)).toBe(false);
  });
});

/** A field of a key, with its length before it. */
function field(value: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(value.length);
  return Buffer.concat([length, value]);
}

/** A positive integer, with a zero byte before it if its first bit is set. */
function integer(bytes: Buffer): Buffer {
  return bytes.readUInt8(0) < 0x80 ? bytes : Buffer.concat([Buffer.of(0), bytes]);
}

function fieldsOf(blob: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < blob.length; at += 4 + blob.readUInt32BE(at))
    found.push(blob.subarray(at + 4, at + 4 + blob.readUInt32BE(at)));
  return found;
}
