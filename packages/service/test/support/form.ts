/** Whether proofs run in their long forms: `vitest run --mode full`. */
export const isFull: boolean = process.env["MODE"] === "full";
