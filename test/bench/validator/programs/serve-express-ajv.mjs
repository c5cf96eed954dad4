import { createServer } from "node:http";
import express from "express";
import { reply } from "./reply.mjs";
import { validator } from "./user-ajv.mjs";

const app = express();
app.use(validator.express({ basePath: "/v4" }));
app.get("/v4/compute/instances", (request, response) => void response.json(reply));
app.post("/v4/compute/instances", (request, response) => void response.json(reply));

export const server = createServer(app);
