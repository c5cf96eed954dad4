import { createServer } from "node:http";
import express from "express";
import OpenApiValidator from "express-openapi-validator";
import { reply } from "./reply.mjs";

const app = express();
app.use(express.json());
app.use(OpenApiValidator.middleware({ apiSpec: "description.json", validateSecurity: false }));
app.get("/v4/compute/instances", (request, response) => void response.json(reply));
app.post("/v4/compute/instances", (request, response) => void response.json(reply));

export const server = createServer(app);
