import express, { type Request } from "express";
import { photosOf, seeds } from "./store.js";

/** Mounted below a seed. */
export const photos = express.Router({ mergeParams: true });

interface SeedParams {
  seedId: string;
}

photos.get("/", (req: Request<SeedParams>, res) => {
  const all = photosOf.get(Number(req.params.seedId)) ?? [];
  res.json(all.slice(0, Number(req.query.limit)));
});

photos.post("/", (req: Request<SeedParams, unknown, { caption: string }>, res, next) => {
  const id = Number(req.params.seedId);
  if (!seeds.has(id)) return next(Object.assign(new Error("There is no such seed."), { status: 404 }));
  const [upload] = req.files as Express.Multer.File[];
  if (upload === undefined) throw new Error("The validator requires a photo.");
  const photo = { file: upload.originalname, caption: req.body.caption, bytes: upload.size };
  photosOf.set(id, [...(photosOf.get(id) ?? []), photo]);
  res.status(201).json(photo);
});
