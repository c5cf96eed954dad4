import { instanceStatus } from "@cloud-compute/server";
import { entityKinds, type EntityKind } from "../../src/grants.js";
import type { All, Check } from "./invariants.js";

/** What has to be about something that is there. */
export const leftovers: readonly Check[] = [
  function jobsAreAboutSomething({ jobs, ...all }) {
    return jobs.flatMap(({ id, kind, subject, data }) => {
      // A copy goes on when what it is made of is gone; there has to be what it is made to.
      const about = kind === "clone" ? `instance ${String(data["target"])}` : subject;
      const [, what = "", which = ""] = /^(.*) (\S+)$/.exec(about) ?? [];
      const isThere = subjects[what];
      if (isThere === undefined) return [`job ${id} (${kind}) is about ${subject}, and nobody knows what that is`];
      return isThere(all, which) ? [] : [`job ${id} (${kind}) is about ${about}, which there is not`];
    });
  },

  function eventsThatGoOnHaveAJobThatEndsThem({ events, jobs }) {
    const told = new Set(jobs.map(({ event }) => event));
    const known = new Set(events.map(({ id }) => id));
    return [
      ...events
        .filter(({ id, status }) => (status === "started" || status === "scheduled") && !told.has(id))
        .map(({ id, action, status }) => `event ${id} (${action}) is ${status}, and nothing ends it`),
      ...jobs
        .filter(({ event }) => event !== null && !known.has(event))
        .map(({ id, kind, event }) => `job ${id} (${kind}) ends event ${event}, which there is not`),
    ];
  },

  function grantsAreOnWhatIsThere({ users, ...all }) {
    return users.flatMap(({ id, account, grants }) =>
      (Object.keys(entityKinds) as EntityKind[]).flatMap((kind) => {
        const ids = grants[kind].map((each) => each.id);
        const there = granted[kind](all, account);
        return [
          ...ids
            .filter((each) => !there.includes(each))
            .map((each) => `${id} has a grant on ${kind} ${each}, which there is not`),
          ...ids
            .filter((each, at) => ids.indexOf(each) !== at)
            .map((each) => `${id} has two grants on ${kind} ${each}`),
        ];
      }),
    );
  },

  function imagesHaveTheirTickets({ images }) {
    return images
      .filter(
        ({ status, ticket, file }) =>
          (status !== "pending_upload" && ticket !== null) || (ticket !== null && file !== null),
      )
      .map(({ id, status }) => `image ${id} is ${status}, and can still be sent data`);
  },

  function whatIsShownOfOthersIsWhatTheyAre({ instances, volumes, nodes, nodebalancers, clusters, configs }) {
    const instanceOf = new Map(instances.map((each) => [each.id, each]));
    return [
      ...instances
        .filter(({ state, status }) => instanceStatus.shown(state) !== status)
        .map(({ id, state, status }) => `instance ${id} is ${state} and shown as ${status}`),
      ...instances
        .filter(
          ({ id, lastBooted }) =>
            lastBooted !== null && !configs.some((each) => each.id === lastBooted && each.instance === id),
        )
        .map(({ id, lastBooted }) => `instance ${id} was last booted by config ${lastBooted}, which it has not`),
      ...volumes
        .filter(
          ({ compute_id: of, compute_label: label }) => (of === null ? null : instanceOf.get(of)?.label) !== label,
        )
        .map(({ id, compute_label: label }) => `volume ${id} is shown at ${label}, which is another`),
      ...nodes
        .filter(({ instance_id: of, cluster }) => of !== null && instanceOf.get(of)?.cluster !== cluster)
        .map(({ id, instance_id: of }) => `node ${id} is on instance ${of}, which is not of its cluster`),
      ...instances
        .filter(({ id, cluster }) => cluster !== null && !nodes.some((each) => each.instance_id === id))
        .map(({ id, cluster }) => `instance ${id} is of cluster ${cluster}, and no node is on it`),
      ...clusters
        .filter(
          ({ id, status }) =>
            nodebalancers.filter((each) => each.cluster === id).length !== (status === "ready" ? 1 : 0),
        )
        .map(({ id, status }) => `cluster ${id} is ${status}, which its NodeBalancers do not fit`),
    ];
  },

  function poolsCountTheirNodes({ pools, nodes }) {
    return pools.flatMap(({ id, count }) => {
      const there = nodes.filter(({ pool }) => pool === id).length;
      return there === count ? [] : [`pool ${id} counts ${count} nodes and has ${there}`];
    });
  },

  function noInstanceIsClonedMoreOftenThanItMayBe({ jobs }) {
    const clones = jobs.filter(({ kind }) => kind === "clone").map(({ subject }) => subject);
    return [...new Set(clones)]
      .filter((subject) => clones.filter((each) => each === subject).length > 5)
      .map((subject) => `${subject} are more than five`);
  },

  function whatIsReplacedIsBeingReplaced({ clusters, nodes }) {
    return clusters.flatMap(({ id, isRolling }) => {
      const its = nodes.filter(({ cluster }) => cluster === id);
      const waits = its.some(({ recycleFor }) => recycleFor !== null);
      return isRolling || !waits ? [] : [`nodes of cluster ${id} wait to be replaced, and nothing does`];
    });
  },
];

type Things = Omit<All, "jobs">;

const numbered =
  (name: "instances" | "backups" | "clusters" | "domains") =>
  (all: Things, id: string): boolean =>
    all[name].some((each) => String(each.id) === id);

/** What jobs are about, by how their subjects begin. */
const subjects: Readonly<Record<string, (all: Things, id: string) => boolean>> = {
  instance: numbered("instances"),
  "backups of": numbered("instances"),
  backup: numbered("backups"),
  cluster: numbered("clusters"),
  domain: numbered("domains"),
  image: ({ images }, id) => images.some((each) => each.id === id),
  node: ({ nodes }, id) => nodes.some((each) => each.id === id),
  account: ({ accounts }, id) => accounts.some((each) => each.id === id),
  // The image is gone, and its files go after it.
  "data of": ({ images }, id) => !images.some((each) => each.id === id),
};

/** What a user of an account can have grants on. */
const granted: Readonly<Record<EntityKind, (all: Omit<All, "users">, account: string) => readonly (number | null)[]>> =
  {
    compute: ({ instances }, account) => idsOf(instances, account),
    domain: ({ domains }, account) => idsOf(domains, account),
    image: ({ images }, account) => images.filter((each) => each.account === account).map(({ number }) => number),
    nodebalancer: ({ nodebalancers }, account) => idsOf(nodebalancers, account),
    stackscript: ({ stackscripts }, account) => idsOf(stackscripts, account),
    volume: ({ volumes }, account) => idsOf(volumes, account),
    longview: () => [],
  };

function idsOf(rows: readonly { readonly id: number; readonly account: string }[], account: string): number[] {
  return rows.filter((each) => each.account === account).map(({ id }) => id);
}
