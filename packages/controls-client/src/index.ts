export * from "./gen/index.js";
