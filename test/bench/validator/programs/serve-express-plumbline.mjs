import { createServer } from "node:http";
import { validator } from "@cloud-compute/validator/express";
import express from "express";
import { reply } from "./reply.mjs";

const app = express();
app.use(validator({ basePath: "/v4" }));
app.get("/v4/compute/instances", (request, response) => void response.json(reply));
app.post("/v4/compute/instances", (request, response) => void response.json(reply));

export const server = createServer(app);
