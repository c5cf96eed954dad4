export { suite } from "./gen/suite.js";
export { scenarios } from "./scenarios/index.js";
