export * from "@corpus/library";
export { returnLoan as giveBack } from "@corpus/library"; // concerns: operation-renamed
export type { NewLoan as LoanForm } from "@corpus/library"; // concerns: schema-renamed
export { Shelf } from "./shelf.js";
export { lend, bringBack } from "./desk.js";
