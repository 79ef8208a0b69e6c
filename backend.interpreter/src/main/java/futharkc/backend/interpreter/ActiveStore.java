package futharkc.backend.interpreter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A store whose elements may have derivatives. Another store holds the plain values. */
final class ActiveStore extends Store {
  private final Store values;
  private Num.@Nullable Derived @Nullable [] derived;

  ActiveStore(Store values) {
    this.values = values;
  }

  @Override
  Store like(long size) {
    return new ActiveStore(values.like(size));
  }

  @Override
  Object base() {
    return values.base();
  }

  @Override
  long size() {
    return values.size();
  }

  @Override
  long get(int i) {
    return values.get(i);
  }

  @Override
  void set(int i, long v) {
    values.set(i, v);
    if (derived != null) {
      derived[i] = null;
    }
  }

  @Override
  Num.@Nullable Derived derived(int i) {
    return derived == null ? null : derived[i];
  }

  @Override
  void put(int i, Num n) {
    values.set(i, n.bits());
    if (n instanceof Num.Derived d) {
      room()[i] = d;
    } else if (derived != null) {
      derived[i] = null;
    }
  }

  private Num.@Nullable Derived[] room() {
    if (derived == null) {
      derived = new Num.Derived[Math.toIntExact(values.size())];
    }
    return derived;
  }

  @Override
  void copy(int to, Store from, int at, int count) {
    if (from instanceof ActiveStore a) {
      values.copy(to, a.values, at, count);
      if (a.derived != null) {
        System.arraycopy(a.derived, at, room(), to, count);
      } else if (derived != null) {
        Arrays.fill(derived, to, to + count, null);
      }
    } else {
      values.copy(to, from, at, count);
      if (derived != null) {
        Arrays.fill(derived, to, to + count, null);
      }
    }
  }
}
