import { documentedOperations } from "../../src/documented.support.js";
import * as controls from "../../src/testing/index.js";
import { domains } from "./life/domains.js";
import { images } from "./life/images.js";
import { instances } from "./life/instances.js";
import { kube } from "./life/kube.js";
import { platform } from "./life/platform.js";
import { profile } from "./life/profile.js";
import { newTally, type Tally } from "./life/tally.js";
import { Walk, type Act, type Person, type Seen } from "./life/walk.js";
import type { Program } from "./program.js";
import { randomFrom } from "./random.js";

/** People who use a service at random. */
export interface Life {
  readonly tally: Tally;
  /** Uses a program until it is stopped or ends. The program may differ from the previous one. */
  on(program: Program): Promise<{ stop(): Promise<void> }>;
}

/** Every operation of the API, and the upload of data. */
export const operationNames: readonly string[] = documentedOperations().map(({ name }) => name);

export function newLife(seed: number, nameserver: string): Life {
  const tally = newTally();
  const people = ["bootstrap", "other"].flatMap((account) => [
    person(`owner-of-${account}`, { account, restricted: false }),
    person(`restricted-of-${account}`, { account, restricted: true }),
  ]);
  // Users of an account act at the same time, and so do two programs of one user.
  const workers = people.flatMap((each) => [
    { person: each, acts: ofPeople },
    { person: each, acts: ofPeople },
    ...(each.restricted ? [] : [{ person: each, acts: platform }]),
  ]);
  const walkers = workers.map((each, index) => ({ ...each, random: randomFrom(seed + index) }));
  const seen: Seen = { instances: [], domains: [], clusters: [], images: [], uploads: [] };
  return {
    tally,
    on: async (program) => {
      tally.programStarts();
      for (const each of people) if (each.token === "") await introduce(program, each);
      const stop = new AbortController();
      const walked = walkers.map(async ({ person: who, random, acts }) => {
        const walk = new Walk({ program, person: who, random, tally, seen, nameserver });
        while (!stop.signal.aborted && !tally.isEnding) await random.one(acts)(walk);
      });
      return {
        stop: async () => {
          stop.abort();
          await Promise.all(walked);
        },
      };
    },
  };
}

const ofPeople: readonly Act[] = [...instances, ...instances, ...kube, ...domains, ...images, ...profile];

function person(username: string, of: Pick<Person, "account" | "restricted">): Person {
  return { username, ...of, token: "", secret: undefined };
}

async function introduce({ controls: control }: Program, newcomer: Person): Promise<void> {
  const { username, account, restricted } = newcomer;
  await controls.createUser(control, { body: { username, account, restricted } });
  const made = await controls.createUserToken(control, { path: { username }, body: {} });
  newcomer.token = made.token;
}
