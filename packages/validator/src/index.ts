export * from "./gen/operations.js";
export { inputOf, type InputOf, type Judgement, type Operation, type PublicFault } from "@plumbline/validator-runtime";
