// The button that leads back to the top is there while one scrolls up.
(() => {
  "use strict";
  const button = document.getElementById("pst-back-to-top");
  let before = 0;
  addEventListener("scroll", () => {
    button.style.display = scrollY < before && scrollY > 100 ? "block" : "none";
    before = scrollY;
  });
  button.addEventListener("click", () => scrollTo({ top: 0 }));
})();
