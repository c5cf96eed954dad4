import { errors } from "@cloud-compute/server";
import type { AddressRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";

/**
 * Address ranges, by their numbers of /24 networks: one that is reserved for tests, followed by one that is reserved for later use, and a private
 * one, whose networks begin in its middle. The last byte is never 0 or 255.
 */
const ranges = {
  public: [
    { first: [198, 18, 0], networks: 2 ** 9 },
    { first: [240, 0, 0], networks: 15 * 2 ** 16 },
  ],
  private: [
    { first: [192, 168, 128], networks: 2 ** 7 },
    { first: [192, 168, 0], networks: 2 ** 7 },
  ],
} as const;

/**
 * Assigns a free IPv4 address to an instance: one that the account has released, else the next one. The numbers of addresses come from a sequence,
 * so that no account waits for another one.
 */
export async function assignAddress(
  { tx }: UnitOfWork,
  { account, instance, kind }: Pick<AddressRow, "account" | "kind"> & { readonly instance: number },
): Promise<string> {
  const free = await tx.addresses.first({ account, kind, instance: null });
  if (free !== undefined) {
    await tx.addresses.update({ ...free, instance });
    return free.id;
  }
  const id = addressAt(kind, await tx.nextId(`${kind}_addresses`));
  await tx.addresses.add({ id, account, kind, instance });
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
export function addressAt(kind: AddressRow["kind"], number: number): string {
  let network = Math.floor((number - 1) / perNetwork);
  for (const { first, networks } of ranges[kind]) {
    const [a, b, c] = first;
    const at = (a * 256 + b) * 256 + c + network;
    if (network < networks) return `${at >>> 16}.${(at >>> 8) & 255}.${at & 255}.${((number - 1) % perNetwork) + 1}`;
    network -= networks;
  }
  throw errors.unavailable();
}

const perNetwork = 254;
