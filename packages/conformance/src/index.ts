export { suite } from "./gen/suite.js";
