/** Whether tests run on Citus: `npm run citus -w test`. */
export const isCitus: boolean = process.env["MODE"] === "citus";

/** Whether proofs run in their long forms: `vitest run --mode full`. On Citus, they always do. */
export const isFull: boolean = isCitus || process.env["MODE"] === "full";
