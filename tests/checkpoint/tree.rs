//! Roots and proofs against the definition in RFC 6962, written down as it stands there.

use gavel::auction::{AuctionId, Digest};
use gavel::checkpoint::{Leaf, Tree};
use sha2::{Digest as _, Sha256};

fn hash(parts: &[&[u8]]) -> Digest {
    Sha256::digest(parts.concat()).into()
}

/// Where a list of more than one is split.
fn half(count: usize) -> usize {
    let mut half = 1;
    while half * 2 < count {
        half *= 2;
    }
    half
}

/// MTH.
fn root(leaves: &[Digest]) -> Digest {
    match leaves {
        [] => hash(&[]),
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(half(leaves.len()));
            hash(&[&[1], &root(left), &root(right)])
        }
    }
}

/// PATH.
fn path(index: usize, leaves: &[Digest]) -> Vec<Digest> {
    if leaves.len() <= 1 {
        return Vec::new();
    }
    let (left, right) = leaves.split_at(half(leaves.len()));
    let (mut path, sibling) = match index.checked_sub(left.len()) {
        None => (path(index, left), root(right)),
        Some(index) => (path(index, right), root(left)),
    };
    path.push(sibling);
    path
}

#[test]
fn every_root_and_every_proof_is_that_of_the_definition() {
    let leaves: Vec<Digest> = (0..70_u8).map(|number| hash(&[&[0], &[number]])).collect();
    for size in 0..=leaves.len() {
        let some = &leaves[..size];
        let mut tree = Tree::default();
        some.iter().for_each(|leaf| tree.push(*leaf));
        assert_eq!(tree.size(), u64::try_from(size).unwrap());
        assert_eq!(tree.root(), root(some), "{size}");
        assert_eq!(tree.proof(), None);
        for index in 0..size {
            let mut tree = Tree::default();
            for (at, leaf) in some.iter().enumerate() {
                if at == index {
                    tree.push_marked(*leaf);
                } else {
                    tree.push(*leaf);
                }
            }
            assert_eq!(tree.root(), root(some), "{index} of {size}");
            assert_eq!(tree.proof(), Some(path(index, some)), "{index} of {size}");
            assert_eq!(tree.marked(), Some(u64::try_from(index).unwrap()));
        }
    }
}

/// The leaves and roots that implementations of Certificate Transparency are tested with.
#[test]
fn published_roots_come_out() {
    let leaves: [&[u8]; 8] = [
        b"",
        b"\x00",
        b"\x10",
        b"\x20\x21",
        b"\x30\x31",
        b"\x40\x41\x42\x43",
        b"\x50\x51\x52\x53\x54\x55\x56\x57",
        b"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f",
    ];
    let roots = [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];
    let mut tree = Tree::default();
    let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(hex::encode(tree.root()), nothing);
    for (leaf, root) in leaves.into_iter().zip(roots) {
        tree.push(hash(&[&[0], leaf]));
        assert_eq!(hex::encode(tree.root()), root);
    }
}

#[test]
fn a_leaf_is_fifty_bytes() {
    let leaf = Leaf {
        auction_id: AuctionId::new(7731).unwrap(),
        head: [0xab; 32],
    };
    let bytes = leaf.bytes();
    let head = "ab".repeat(32);
    let expected = format!("474156454c4c454146310000000000001e33{head}");
    assert_eq!(hex::encode(&bytes), expected);
    assert_eq!(leaf.hash(), hash(&[&[0], &bytes]));
    assert_eq!(Leaf::parse(&bytes), Ok(leaf));
    let other = [b"GAVELLEAF2", &bytes[10..]].concat();
    let none = [b"GAVELLEAF1", [0; 8].as_slice(), &[0; 32]].concat();
    for wrong in [
        &bytes[..49],
        &[bytes.as_slice(), b"x"].concat(),
        &other,
        &none,
        b"",
    ] {
        assert!(Leaf::parse(wrong).is_err(), "{wrong:?}");
    }
}
