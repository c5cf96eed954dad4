module.exports = {
  transformIgnorePatterns: ["/node_modules/(?!@plumbline/|@letters/client/)"],
};
