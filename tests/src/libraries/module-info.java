/** A program that uses two libraries. */
module consumer {
  requires com.acme.dot;
  requires com.acme.shapes;
}
