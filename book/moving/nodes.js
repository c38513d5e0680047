// How every script of the book makes an element, also in a picture. What stands in it is text:
// nothing here makes markup of a string.
(() => {
  "use strict";
  const write = (node, attributes) => {
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  };
  const make = (node, attributes, children) => {
    write(node, attributes);
    node.append(...children.filter((child) => child !== undefined));
    return node;
  };
  window.nodes = {
    write,
    el: (name, attributes = {}, ...children) =>
      make(document.createElement(name), attributes, children),
    svg: (name, attributes = {}, ...children) =>
      make(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children),
  };
})();
