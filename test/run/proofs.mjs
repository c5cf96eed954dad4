/**
 * The files whose long form does more than the loop, by workspace, and how many minutes each takes (wall time on two cores). CI chooses by them what it has
 * time for. `workspace.test.ts` fails where a file is missing here, or is listed without need.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, number>>>>}
 */
export const proofs = {};
