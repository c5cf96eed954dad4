module.exports = {
  allotments: {
    input: "../../allotments.yaml",
    output: {
      target: "src/api/allotments.ts",
      mode: "split",
      client: "fetch",
      headers: true,
      override: { mutator: { path: "src/fetch.ts", name: "allotmentsFetch" } },
    },
  },
};
