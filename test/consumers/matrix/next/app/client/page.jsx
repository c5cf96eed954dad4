"use client";

import { useEffect, useState } from "react";
import { runScenario } from "../../../scenario.js";

export default function Page() {
  const [lines, setLines] = useState();
  useEffect(() => {
    void runScenario(`${location.origin}/v1`).then(setLines);
  }, []);
  return <pre>{lines}</pre>;
}
