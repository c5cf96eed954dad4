import * as api from "@cloud-compute/client";
import { isApiError } from "@cloud-compute/client";
import * as controls from "../../src/testing/index.js";
import type { Ledger } from "./ledger.js";
import { everyItem } from "./pages.js";
import type { Program } from "./program.js";
import type { Random } from "./random.js";

/** A user of an account, and the clock. */
export type User = Pick<Program, "admin" | "controls">;

interface Work {
  readonly random: Random;
  /** In the names of its objects. */
  readonly name: string;
  /** Called when a request fails, and throws to end. Default: the first failure ends. */
  readonly onFailure?: (error: unknown) => void;
  /** Default: never. */
  readonly isOver?: () => boolean;
}

/** Creates, changes and deletes its own domains and instances, until a failure ends it, or it is over. */
export async function work(
  user: User,
  ledger: Ledger,
  { random, name, onFailure = fail, isOver = () => false }: Work,
): Promise<void> {
  const domains = new Map<string, number>();
  const instances = new Map<string, number>();
  for (let turn = 0; !isOver(); turn += 1)
    try {
      await writeOne(user, ledger, { random, domains, instances, name: `${turn}.w${name}` });
    } catch (error) {
      onFailure(error);
      // A write that failed may have had an effect, so that its object is left as it is.
      domains.clear();
      instances.clear();
    }
}

function fail(error: unknown): never {
  throw error;
}

interface Turn {
  readonly random: Random;
  readonly domains: Map<string, number>;
  readonly instances: Map<string, number>;
  readonly name: string;
}

async function writeOne(user: User, ledger: Ledger, { random, domains, instances, name }: Turn): Promise<void> {
  const { admin } = user;
  const value = `value ${random.below(1_000_000)}`;
  const [known, domainId] = random.one([...domains, ["", 0] as const]);
  const [instance, computeId] = random.one([...instances, ["", 0] as const]);
  switch (random.below(6)) {
    case 0:
    case 1: {
      const body = { domain: `d${name}.example.com`, type: "master", soa_email: "admin@example.com" } as const;
      await ledger.write(`domain ${body.domain}`, value, async () => {
        domains.set(body.domain, (await api.createDomain(admin, { body: { ...body, description: value } })).id);
      });
      break;
    }
    case 2:
      if (domainId === 0) break;
      await ledger.write(`domain ${known}`, value, () =>
        api.updateDomain(admin, { path: { domainId }, body: { description: value } }),
      );
      break;
    case 3:
      if (domainId === 0) break;
      domains.delete(known);
      await ledger.write(`domain ${known}`, null, () => api.deleteDomain(admin, { path: { domainId } }));
      break;
    case 4: {
      const label = `i${name.replace(".", "-")}`;
      const body = { label, group: value, tags: [`tag-${random.below(5)}`], ...deployment };
      await ledger.write(`instance ${label}`, value, async () => {
        instances.set(label, await createInstance(user, body));
      });
      break;
    }
    default:
      if (computeId === 0) break;
      instances.delete(instance);
      await ledger.write(`instance ${instance}`, null, () => api.deleteInstance(admin, { path: { computeId } }));
  }
}

const deployment = {
  region: "us-east",
  type: "g6-nanode-1",
  image: "compute/debian12",
  root_pass: "correct Horse 7 battery",
  backups_enabled: true,
};

/** Creates an instance, after half a minute of the clock if a user has created too many. */
async function createInstance(
  { admin, controls: clock }: User,
  body: Parameters<typeof api.createInstance>[1]["body"],
): Promise<number> {
  for (;;) {
    try {
      return (await api.createInstance(admin, { body })).id;
    } catch (error) {
      if (!isApiError(error) || error.status !== 429) throw error;
      await controls.advanceClock(clock, { body: { advance: "PT31S" } });
    }
  }
}

/** The differences between a ledger and the domains and instances of a user. */
export async function compared({ admin }: Pick<User, "admin">, ledger: Ledger): Promise<string[]> {
  const found = new Map<string, string>();
  for (const { domain, description } of await everyItem((query) => api.listDomains(admin, { query })))
    found.set(`domain ${domain}`, description);
  for (const { label, group, status } of await everyItem((query) => api.listInstances(admin, { query })))
    if (status !== "deleting") found.set(`instance ${label}`, group ?? "");
  return ledger.compare(found);
}
