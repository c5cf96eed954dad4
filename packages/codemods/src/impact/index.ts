export { findImpact, type Impact, type ImpactInput } from "./find-impact.js";
