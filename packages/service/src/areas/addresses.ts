import { errors } from "@cloud-compute/server";
import type { AddressRow } from "../store/rows.js";
import type { Work } from "../work.js";

/** Where addresses come from: a range that is set aside for tests, and one that is private. The last byte is never 0 or 255. */
const ranges = {
  public: { sequence: "public_addresses", first: [198, 18], bits: 17 },
  private: { sequence: "private_addresses", first: [192, 168, 128], bits: 15 },
} as const;

/** Gives an instance an IPv4 address that nobody else has: one that was released, or else the next one. */
export async function assignAddress({ tx }: Work, instance: number, kind: AddressRow["kind"]): Promise<string> {
  await tx.alone("addresses");
  const free = await tx.addresses.first({ kind, instance: null });
  if (free !== undefined) {
    await tx.addresses.put({ ...free, instance });
    return free.id;
  }
  const id = addressAt(kind, await tx.nextId(ranges[kind].sequence));
  await tx.addresses.add({ id, kind, instance });
  return id;
}

/** The addresses of an instance are free for others. */
export async function addressesReleased({ tx }: Work, instance: number): Promise<void> {
  for (const address of await tx.addresses.find({ instance })) await tx.addresses.put({ ...address, instance: null });
}

/** The SLAAC address of an instance, its own alone: it follows from the id. */
export function slaacAddress(instance: number): string {
  const hex = instance.toString(16).padStart(14, "0");
  const groups = [hex.slice(0, 4), hex.slice(4, 8), "f03c", "91ff", `fe${hex.slice(8, 10)}`, hex.slice(10)];
  return `2001:db8:${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}/128`;
}

/** The address with a number, from 1 on. Throws the refusal of a platform that has no more. */
function addressAt(kind: AddressRow["kind"], number: number): string {
  const { first, bits } = ranges[kind];
  const block = Math.floor((number - 1) / perBlock);
  const last = ((number - 1) % perBlock) + 1;
  if (block >= 2 ** (bits - 8)) throw errors.unavailable();
  const [a, b, c = 0] = first;
  return `${a}.${b + Math.floor((block + c) / 256)}.${(block + c) % 256}.${last}`;
}

const perBlock = 254;
