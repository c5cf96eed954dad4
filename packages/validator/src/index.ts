export * from "./gen/operations.js";
export {
  inputOf,
  type InputOf,
  type ValidationResult,
  type Operation,
  type ValidationIssue,
} from "@plumbline/validator-runtime";
