import { createServer } from "node:http";
import express from "express";
import { reply } from "./reply.mjs";

const app = express();
app.use(express.json());
app.get("/v4/compute/instances", (request, response) => void response.json(reply));
app.post("/v4/compute/instances", (request, response) => void response.json(reply));

export const server = createServer(app);
