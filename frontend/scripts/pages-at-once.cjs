// webpack loader for the route table in server rendering: turns each import() into a require. React.lazy takes any object with `then`,
// and renders at once when `then` calls back at once. `renderToString` does not wait for promises.
module.exports = function pagesAtOnce(source) {
  return source.replace(
    /import\(\s*\/\*.*?\*\/\s*('[^']+')\s*\)/g,
    '({ then: loaded => loaded(require($1)) })',
  );
};
