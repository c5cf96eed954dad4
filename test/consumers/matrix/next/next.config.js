import path from "node:path";

// Beside the scenario, which other consumers import too.
export default { distDir: "dist", turbopack: { root: path.join(import.meta.dirname, "../..") } };
