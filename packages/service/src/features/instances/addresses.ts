import { errors } from "@cloud-compute/server";
import type { AddressRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";

/** Address ranges: one that is reserved for tests, and a private one. The last byte is never 0 or 255. */
const ranges = {
  public: { sequence: "public_addresses", first: [198, 18], bits: 17 },
  private: { sequence: "private_addresses", first: [192, 168, 128], bits: 15 },
} as const;

/** Assigns a free IPv4 address to an instance: one that was released, else the next one. */
export async function assignAddress({ tx }: UnitOfWork, instance: number, kind: AddressRow["kind"]): Promise<string> {
  await tx.lock("addresses");
  const free = await tx.addresses.first({ kind, instance: null });
  if (free !== undefined) {
    await tx.addresses.update({ ...free, instance });
    return free.id;
  }
  const id = addressAt(kind, await tx.nextId(ranges[kind].sequence));
  await tx.addresses.add({ id, kind, instance });
  return id;
}

/** Releases the addresses of an instance: addresses-released. */
export async function releaseAddresses({ tx }: UnitOfWork, instance: number): Promise<void> {
  for (const address of await tx.addresses.find({ instance }))
    await tx.addresses.update({ ...address, instance: null });
}

/** The SLAAC address of an instance. It follows from the id, so it is unique. */
export function slaacAddress(instance: number): string {
  const hex = instance.toString(16).padStart(14, "0");
  const groups = [hex.slice(0, 4), hex.slice(4, 8), "f03c", "91ff", `fe${hex.slice(8, 10)}`, hex.slice(10)];
  return `2001:db8:${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}/128`;
}

/**
 * The address with a number, from 1 on.
 *
 * @throws when the range has no more addresses
 */
function addressAt(kind: AddressRow["kind"], number: number): string {
  const { first, bits } = ranges[kind];
  const block = Math.floor((number - 1) / perBlock);
  const last = ((number - 1) % perBlock) + 1;
  if (block >= 2 ** (bits - 8)) throw errors.unavailable();
  const [a, b, c = 0] = first;
  return `${a}.${b + Math.floor((block + c) / 256)}.${(block + c) % 256}.${last}`;
}

const perBlock = 254;
