// webpack loader for the route table of the first screens: pages are there at once, where the browser fetches each when it is needed.
// React.lazy takes anything with a `then`, and draws at once what is handed over at once.
module.exports = function pagesAtOnce(source) {
  return source.replace(
    /import\(\s*\/\*.*?\*\/\s*('[^']+')\s*\)/g,
    '({ then: loaded => loaded(require($1)) })',
  );
};
